package dev.millrace.source;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options of reading CSV files: `ReadCsv.defaults().delimiter(';').column("zip", DataType.UTF8)`.
///
/// By default the first line names the columns, and the types of the columns are inferred from the first mebibyte of
/// the sampled files (see [FileReads]): int64, bool, date, time, timestamp, float64 or utf8, whichever first fits all
/// of a column's values there. Lines end with LF, CRLF or CR; empty lines are not rows; a quoted field may contain
/// delimiters, line ends and doubled quotes.
public final class ReadCsv implements FileReadOptions<ReadCsv> {
    private static final long serialVersionUID = 1L;
    private static final int NONE = -1;

    /// Texts that mean null in columns of numbers, times and booleans; the empty one does in text columns too.
    public static final List<String> NULL_TEXTS = List.of(
            "",
            "#N/A",
            "#N/A N/A",
            "#NA",
            "-1.#IND",
            "-1.#QNAN",
            "-NaN",
            "-nan",
            "1.#IND",
            "1.#QNAN",
            "N/A",
            "NA",
            "NULL",
            "NaN",
            "n/a",
            "nan",
            "null");

    private FileReads files = FileReads.defaults();
    private char delimiter = ',';
    private int quote = '"';
    private int escape = NONE;
    private int comment = NONE;
    private boolean header = true;
    private @Nullable List<String> names;
    private int skipRows;
    private Map<String, DataType> types = Map.of();
    private @Nullable List<String> nullTexts;
    private boolean keepQuoted;
    private List<String> trueTexts = List.of("true", "True", "TRUE", "1");
    private List<String> falseTexts = List.of("false", "False", "FALSE", "0");
    private boolean latin1;
    private int sampleBytes = 1 << 20;
    private int maxRecordBytes = 2 << 20;
    private boolean skipRagged;
    private boolean misfitsAreNull;
    private boolean wholeFiles;

    private ReadCsv() {}

    /// Commas, double quotes, a header, types inferred from a sample.
    public static ReadCsv defaults() {
        return new ReadCsv();
    }

    /// Tab-separated fields.
    public static ReadCsv tsv() {
        return defaults().delimiter('\t');
    }

    private ReadCsv copy() {
        ReadCsv copy = new ReadCsv();
        copy.files = files;
        copy.delimiter = delimiter;
        copy.quote = quote;
        copy.escape = escape;
        copy.comment = comment;
        copy.header = header;
        copy.names = names;
        copy.skipRows = skipRows;
        copy.types = types;
        copy.nullTexts = nullTexts;
        copy.keepQuoted = keepQuoted;
        copy.trueTexts = trueTexts;
        copy.falseTexts = falseTexts;
        copy.latin1 = latin1;
        copy.sampleBytes = sampleBytes;
        copy.maxRecordBytes = maxRecordBytes;
        copy.skipRagged = skipRagged;
        copy.misfitsAreNull = misfitsAreNull;
        copy.wholeFiles = wholeFiles;
        return copy;
    }

    /// The common options of all reads of files: paths as a column, partitions, compression.
    @Override
    public ReadCsv files(FileReads common) {
        ReadCsv copy = copy();
        copy.files = common;
        return copy;
    }

    /// Which files, and the columns of their paths.
    @Override
    public FileReads files() {
        return files;
    }

    /// See [FileReads#columns].
    public ReadCsv columns(String... names) {
        return files(files.columns(names));
    }

    /// The field separator.
    public ReadCsv delimiter(char character) {
        ReadCsv copy = copy();
        copy.delimiter = requireAscii("delimiter", character);
        return copy.checked();
    }

    /// The field separator.
    public char delimiter() {
        return delimiter;
    }

    /// The quote of fields that contain delimiters, line ends or, doubled, the quote itself.
    public ReadCsv quote(char character) {
        ReadCsv copy = copy();
        copy.quote = requireAscii("quote", character);
        return copy.checked();
    }

    /// Quotes are ordinary characters.
    public ReadCsv withoutQuotes() {
        ReadCsv copy = copy();
        copy.quote = NONE;
        return copy;
    }

    /// The quote, or -1.
    public int quote() {
        return quote;
    }

    /// The character that makes the next one an ordinary character, in quotes and outside: `\` in some files. There is
    /// none by default.
    public ReadCsv escape(char character) {
        ReadCsv copy = copy();
        copy.escape = requireAscii("escape", character) == quote ? NONE : character;
        return copy.checked();
    }

    /// The escape, or -1.
    public int escape() {
        return escape;
    }

    /// Lines that begin with this are not rows. Files are then read whole, not in parts.
    public ReadCsv comment(char character) {
        ReadCsv copy = copy();
        copy.comment = requireAscii("comment", character);
        return copy.checked();
    }

    /// The beginning of comments, or -1.
    public int comment() {
        return comment;
    }

    /// The first line is a row; columns are named f0, f1 and so on.
    public ReadCsv withoutHeader() {
        ReadCsv copy = copy();
        copy.header = false;
        copy.names = null;
        return copy;
    }

    /// The first line is a row; columns have these names. If files begin with a header, skip a row.
    public ReadCsv names(String... columns) {
        ReadCsv copy = copy();
        copy.header = false;
        copy.names = List.of(columns);
        return copy;
    }

    /// Whether the first row has the names.
    public boolean hasHeader() {
        return header;
    }

    /// The names given, or null.
    public @Nullable List<String> names() {
        return names;
    }

    /// Skips this many lines before the header, or the first row.
    public ReadCsv skipRows(int lines) {
        if (lines < 0) {
            throw MillraceException.user("ReadCsv.skipRows: the number of lines must be 0 or more, not " + lines + ".");
        }
        ReadCsv copy = copy();
        copy.skipRows = lines;
        return copy;
    }

    /// The number of skipped lines before the header.
    public int skipRows() {
        return skipRows;
    }

    /// The type of a column, instead of the inferred one: integers, float32 and float64, decimals, bool, date, time,
    /// timestamp (with a zone: for texts with an offset from UTC), utf8 and binary.
    public ReadCsv column(String name, DataType type) {
        requireReadable(name, type);
        ReadCsv copy = copy();
        Map<String, DataType> more = new LinkedHashMap<>(types);
        more.put(name, type);
        copy.types = Collections.unmodifiableMap(more);
        return copy;
    }

    /// The given types, by column; the others are inferred from a sample.
    public Map<String, DataType> types() {
        return types;
    }

    /// Texts that mean null, in columns of every type, instead of [#NULL_TEXTS].
    public ReadCsv nullTexts(String... texts) {
        ReadCsv copy = copy();
        copy.nullTexts = List.of(texts);
        return copy;
    }

    /// The texts given, or null.
    public @Nullable List<String> nullTexts() {
        return nullTexts;
    }

    /// A quoted text is never null: `""` is an empty text and only an empty unquoted field is null, as `writeCsv`
    /// writes it.
    public ReadCsv keepQuoted() {
        ReadCsv copy = copy();
        copy.keepQuoted = true;
        return copy;
    }

    /// Whether a quoted field is never null.
    public boolean keepsQuoted() {
        return keepQuoted;
    }

    /// Texts that are booleans, instead of true, True, TRUE, 1 and false, False, FALSE, 0.
    public ReadCsv booleans(List<String> whenTrue, List<String> whenFalse) {
        ReadCsv copy = copy();
        copy.trueTexts = List.copyOf(whenTrue);
        copy.falseTexts = List.copyOf(whenFalse);
        return copy;
    }

    /// Texts that mean true.
    public List<String> trueTexts() {
        return trueTexts;
    }

    /// Texts that mean false.
    public List<String> falseTexts() {
        return falseTexts;
    }

    /// The files are ISO 8859-1 instead of UTF-8.
    public ReadCsv latin1() {
        ReadCsv copy = copy();
        copy.latin1 = true;
        return copy;
    }

    /// UTF-8 or ISO 8859-1.
    public Charset charset() {
        return latin1 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
    }

    /// How much of a file is sampled to infer the types of columns.
    public ReadCsv sampleBytes(int bytes) {
        if (bytes < 1) {
            throw MillraceException.user("ReadCsv.sampleBytes: a sample has 1 byte or more, not " + bytes + ".");
        }
        ReadCsv copy = copy();
        copy.sampleBytes = bytes;
        return copy;
    }

    /// How much of a file is sampled for its types.
    public int sampleBytes() {
        return sampleBytes;
    }

    /// A record of more bytes is an error; otherwise an unclosed quote would swallow the rest of the file.
    public ReadCsv maxRecordBytes(int bytes) {
        FileReads.requireRecordBytes("ReadCsv", bytes);
        ReadCsv copy = copy();
        copy.maxRecordBytes = bytes;
        return copy;
    }

    /// A longer record is an error.
    public int maxRecordBytes() {
        return maxRecordBytes;
    }

    /// Rows with more or fewer fields than there are columns are dropped instead of an error. Files with quotes are
    /// then read whole, not in parts.
    public ReadCsv skipRaggedRows() {
        ReadCsv copy = copy();
        copy.skipRagged = true;
        return copy;
    }

    /// Whether rows with another number of fields are dropped; otherwise they are an error.
    public boolean skipsRaggedRows() {
        return skipRagged;
    }

    /// A value that does not fit its column's type is null instead of an error.
    public ReadCsv misfitsAsNull() {
        ReadCsv copy = copy();
        copy.misfitsAreNull = true;
        return copy;
    }

    /// Whether a value that does not fit its type is null; otherwise it is an error.
    public boolean takesMisfitsAsNull() {
        return misfitsAreNull;
    }

    /// Each file is read by one task, however large it is.
    public ReadCsv wholeFiles() {
        ReadCsv copy = copy();
        copy.wholeFiles = true;
        return copy;
    }

    /// Whether large files are not split.
    public boolean readsWholeFiles() {
        return wholeFiles;
    }

    private static char requireAscii(String what, char character) {
        if (character == 0 || character > 0x7E || character == '\n' || character == '\r') {
            throw MillraceException.user("ReadCsv." + what + ": it must be an ASCII character that is no line end, not "
                    + (character < ' '
                            ? "\\u" + String.format(Locale.ROOT, "%04x", (int) character)
                            : "'" + character + "'")
                    + ".");
        }
        return character;
    }

    private ReadCsv checked() {
        int[] all = {delimiter, quote, escape, comment};
        for (int i = 0; i < all.length; i++) {
            for (int j = 0; j < i; j++) {
                if (all[i] == all[j] && all[i] != NONE) {
                    throw MillraceException.user("ReadCsv: delimiter, quote, escape and comment must differ, and '"
                            + (char) all[i] + "' is two of them.");
                }
            }
        }
        return this;
    }

    private static void requireReadable(String name, DataType type) {
        boolean readable = switch (type) {
            case DataType.Bool _,
                    DataType.Int _,
                    DataType.Decimal _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Utf8 _,
                    DataType.Binary _ -> true;
            case DataType.Float(int bits) -> bits > 16;
            case DataType.Null _,
                    DataType.Duration _,
                    DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _,
                    DataType.Dictionary _,
                    DataType.Tensor _,
                    DataType.VariableTensor _ -> false;
        };
        if (!readable) {
            throw MillraceException.user("ReadCsv.column: a text is no value of type " + type + " (column '" + name
                    + "'). Read it as utf8 and convert it afterwards.");
        }
    }
}
