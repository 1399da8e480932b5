package dev.millrace.source;

import dev.millrace.error.MillraceException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;

/// Options of reading text: `ReadText.defaults().keepEmptyLines()`. A line ends with LF or CRLF, which is no part of
/// it.
///
/// @param dropEmptyLines lines of nothing but spaces are no rows
/// @param encoding of all files, by name; files of another than UTF-8 are read whole, not in parts
/// @param maxRecordBytes the longest line, in UTF-8; a longer one is an error, which `onReadError` can pass over
public record ReadText(boolean dropEmptyLines, String encoding, int maxRecordBytes, FileReads files)
        implements FileReadOptions<ReadText> {
    private static final int DEFAULT_MAX_RECORD_BYTES = 8 << 20;
    private static final ReadText DEFAULTS =
            new ReadText(true, "UTF-8", DEFAULT_MAX_RECORD_BYTES, FileReads.defaults());

    public ReadText {
        FileReads.requireRecordBytes("ReadText", maxRecordBytes);
        try {
            Charset.forName(encoding);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException _) {
            throw MillraceException.user("There is no encoding '" + encoding
                    + "'. Use \"UTF-8\", \"ISO-8859-1\", \"UTF-16LE\" or another of " + "Java's charsets.");
        }
    }

    /// Lines of UTF-8, empty ones left out.
    public static ReadText defaults() {
        return DEFAULTS;
    }

    /// Lines of nothing but spaces are rows too.
    public ReadText keepEmptyLines() {
        return new ReadText(false, encoding, maxRecordBytes, files);
    }

    /// The charset of the files by its name; others than UTF-8 are read as whole files.
    public ReadText encoding(String name) {
        return new ReadText(dropEmptyLines, name, maxRecordBytes, files);
    }

    /// A line of more bytes is an error; a small file that unpacks to one endless line would else take all memory.
    public ReadText maxRecordBytes(int bytes) {
        return new ReadText(dropEmptyLines, encoding, bytes, files);
    }

    /// What all reads of files have in common.
    @Override
    public ReadText files(FileReads common) {
        return new ReadText(dropEmptyLines, encoding, maxRecordBytes, common);
    }
}
