package dev.millrace.source;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Options of reading JSON: `ReadJson.defaults().column("id", DataType.UTF8)`.
///
/// Without a schema the columns are the fields of the objects in samples of the files looked at (see [FileReads]):
/// int64, float64, bool, utf8, `timestamp[s]` (where every string of the sample is a date or time as ISO 8601 writes
/// it), lists, structs, null. A value that fits no such type is an error that names file and line, and so is a field
/// that the sample did not have. A field that an object lacks is null.
///
/// @param schema the columns; null: from the sample
/// @param types of single columns, in place of the sample's
/// @param unknown what becomes of fields that are no columns
/// @param sampleBytes of a file that is looked at, at least one object
/// @param maxRecordBytes the longest object; a longer one is an error, which `onReadError` can pass over in files of
/// lines
public record ReadJson(
        Schema schema,
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

    /// What becomes of fields that are no columns.
    public enum Unknown {
        /// An error where the columns come from a sample, passed over where a schema is given.
        AUTO,
        IGNORE,
        ERROR
    }

    /// How objects lie in a file.
    public enum Layout {
        /// As each file looks like.
        AUTO,
        /// No object goes over the end of a line: large files are read in parts.
        LINES,
        /// One array, or objects one after the other, however they are broken into lines: files are read whole.
        VALUES
    }

    public ReadJson {
        FileReads.requireRecordBytes("ReadJson", maxRecordBytes);
        types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
        if (sampleBytes < 1) {
            throw MillraceException.user("A sample needs 1 byte or more, not " + sampleBytes + ".");
        }
    }

    /// Types and layout as a sample tells them.
    public static ReadJson defaults() {
        return DEFAULTS;
    }

    /// The columns to read, of any type; nothing is taken from a sample.
    public ReadJson schema(Schema columns) {
        return new ReadJson(columns, types, unknown, layout, sampleBytes, maxRecordBytes, files);
    }

    /// The type of one column. As utf8 it takes any value: what is not a string becomes the text that it is.
    public ReadJson column(String name, DataType type) {
        Map<String, DataType> more = new LinkedHashMap<>(types);
        more.put(name, type);
        return new ReadJson(schema, more, unknown, layout, sampleBytes, maxRecordBytes, files);
    }

    /// Fields that are no columns are passed over.
    public ReadJson ignoreUnknown() {
        return new ReadJson(schema, types, Unknown.IGNORE, layout, sampleBytes, maxRecordBytes, files);
    }

    /// Fields that are no columns are errors.
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

    /// How much of a file is looked at for its types.
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
