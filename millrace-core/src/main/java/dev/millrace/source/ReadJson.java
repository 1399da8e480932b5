package dev.millrace.source;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options of reading JSON: `ReadJson.defaults().column("id", DataType.UTF8)`.
///
/// Without a schema the columns are the fields of the objects in samples of the files (see [FileReads]): int64,
/// float64, bool, utf8, `timestamp[s]` (if every string of the sample is an ISO 8601 date or time), lists, structs,
/// null. A value that does not fit is an error that names file and line, and so is a field that the sample did not
/// have. A missing field of an object is null.
///
/// @param schema the columns; null: from the sample
/// @param types of single columns, instead of the inferred ones
/// @param unknown what happens to fields that are not columns
/// @param sampleBytes of a file that are sampled, at least one object
/// @param maxRecordBytes the longest object; a longer one is an error, which `onReadError` can skip in files of lines
public record ReadJson(
        @Nullable Schema schema,
        Map<String, DataType> types,
        Unknown unknown,
        Layout layout,
        long sampleBytes,
        int maxRecordBytes,
        FileReads files)
        implements FileReadOptions<ReadJson> {
    private static final int DEFAULT_MAX_RECORD_BYTES = 8 << 20;
    private static final ReadJson DEFAULTS = new ReadJson(
            null, Map.of(), Unknown.AUTO, Layout.AUTO, 4 << 20, DEFAULT_MAX_RECORD_BYTES, FileReads.defaults());

    /// What happens to fields that are not columns.
    public enum Unknown {
        /// An error if the columns come from a sample, skipped if a schema is given.
        AUTO,
        IGNORE,
        ERROR
    }

    /// How a file is divided into objects.
    public enum Layout {
        /// Detected for each file.
        AUTO,
        /// No object spans a line end: large files are read in parts.
        LINES,
        /// One array, or objects one after the other, with line ends anywhere: files are read whole.
        VALUES
    }

    public ReadJson {
        FileReads.requireRecordBytes("ReadJson", maxRecordBytes);
        types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
        if (sampleBytes < 1) {
            throw MillraceException.user("A sample needs 1 byte or more, not " + sampleBytes + ".");
        }
    }

    /// Types and layout inferred from a sample.
    public static ReadJson defaults() {
        return DEFAULTS;
    }

    /// The columns to read, of any type; nothing is inferred from a sample.
    public ReadJson schema(Schema columns) {
        return new ReadJson(columns, types, unknown, layout, sampleBytes, maxRecordBytes, files);
    }

    /// The type of one column. utf8 accepts any value: a value that is not a string becomes its JSON text.
    public ReadJson column(String name, DataType type) {
        Map<String, DataType> more = new LinkedHashMap<>(types);
        more.put(name, type);
        return new ReadJson(schema, more, unknown, layout, sampleBytes, maxRecordBytes, files);
    }

    /// Fields that are not columns are skipped.
    public ReadJson ignoreUnknown() {
        return new ReadJson(schema, types, Unknown.IGNORE, layout, sampleBytes, maxRecordBytes, files);
    }

    /// Fields that are not columns are errors.
    public ReadJson errorOnUnknown() {
        return new ReadJson(schema, types, Unknown.ERROR, layout, sampleBytes, maxRecordBytes, files);
    }

    /// See [Layout#LINES].
    public ReadJson lines() {
        return new ReadJson(schema, types, unknown, Layout.LINES, sampleBytes, maxRecordBytes, files);
    }

    /// See [Layout#VALUES].
    public ReadJson values() {
        return new ReadJson(schema, types, unknown, Layout.VALUES, sampleBytes, maxRecordBytes, files);
    }

    /// How much of a file is sampled for its types.
    public ReadJson sampleBytes(long bytes) {
        return new ReadJson(schema, types, unknown, layout, bytes, maxRecordBytes, files);
    }

    /// An object of more bytes is an error; a quote or bracket that nobody closes would else take in the rest of the
    /// file.
    public ReadJson maxRecordBytes(int bytes) {
        return new ReadJson(schema, types, unknown, layout, sampleBytes, bytes, files);
    }

    /// What all reads of files have in common.
    @Override
    public ReadJson files(FileReads common) {
        return new ReadJson(schema, types, unknown, layout, sampleBytes, maxRecordBytes, common);
    }

    /// See [FileReads#columns].
    public ReadJson columns(String... names) {
        return files(files.columns(names));
    }
}
