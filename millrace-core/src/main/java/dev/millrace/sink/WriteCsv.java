package dev.millrace.sink;

import dev.millrace.error.MillraceException;
import java.util.Locale;
import java.util.Objects;

/// How CSV files are written: `WriteCsv.defaults().delimiter(';').gzip()`.
///
/// Texts are quoted if they must be, an empty one always, so that it differs from null, which is an empty unquoted
/// field.
///
/// @param files modes, rows per file, names
/// @param header whether each file begins with the names of the columns
/// @param quoteAll texts are quoted even if they need not be
/// @param nullText the text of null
/// @param compression "gzip", "zstd" or "none"
public record WriteCsv(
        WriteOptions files, char delimiter, boolean header, boolean quoteAll, String nullText, String compression)
        implements WriteFormatOptions {
    private static final WriteCsv DEFAULTS = new WriteCsv(WriteOptions.defaults(), ',', true, false, "", "none");

    public WriteCsv {
        Objects.requireNonNull(files);
        if (delimiter > 0x7E
                || delimiter < ' ' && delimiter != '\t'
                || Character.isLetterOrDigit(delimiter)
                || "\"+-.: ".indexOf(delimiter) >= 0) {
            throw MillraceException.user(
                    "WriteCsv.delimiter: it must be an ASCII character that neither numbers nor times"
                            + " nor quotes have, such as , ; | or a tab, not '" + delimiter + "'.");
        }
        if (nullText.chars().anyMatch(c -> c == delimiter || c == '"' || c == '\n' || c == '\r')) {
            throw MillraceException.user("WriteCsv.nullText: '" + nullText
                    + "' would have to stand in quotes, and then it would be a text. Choose another.");
        }
        compression = compression.toLowerCase(Locale.ROOT);
        switch (compression) {
            case "gzip", "zstd", "none" -> {}
            default ->
                throw MillraceException.user(
                        "WriteCsv.compression: it is gzip, zstd or none, not '" + compression + "'.");
        }
    }

    /// Commas, a header, quotes if needed.
    public static WriteCsv defaults() {
        return DEFAULTS;
    }

    /// Tab-separated fields.
    public static WriteCsv tsv() {
        return DEFAULTS.delimiter('\t');
    }

    /// Mode, sizes and names of the files.
    public WriteCsv files(WriteOptions options) {
        return new WriteCsv(options, delimiter, header, quoteAll, nullText, compression);
    }

    /// The field separator.
    public WriteCsv delimiter(char character) {
        return new WriteCsv(files, character, header, quoteAll, nullText, compression);
    }

    /// Rows only.
    public WriteCsv withoutHeader() {
        return new WriteCsv(files, delimiter, false, quoteAll, nullText, compression);
    }

    /// Quotes around all texts, needed or not.
    public WriteCsv quoteAllTexts() {
        return new WriteCsv(files, delimiter, header, true, nullText, compression);
    }

    /// The text of null; empty by default.
    public WriteCsv nullText(String text) {
        return new WriteCsv(files, delimiter, header, quoteAll, text, compression);
    }

    /// Files are compressed, and named `.csv.gz`.
    public WriteCsv gzip() {
        return new WriteCsv(files, delimiter, header, quoteAll, nullText, "gzip");
    }

    /// Files are compressed, and named `.csv.zst`.
    public WriteCsv zstd() {
        return new WriteCsv(files, delimiter, header, quoteAll, nullText, "zstd");
    }
}
