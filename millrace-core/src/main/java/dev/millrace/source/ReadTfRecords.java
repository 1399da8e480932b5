package dev.millrace.source;

import dev.millrace.type.DataType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Options of reading TFRecord files.
///
/// @param files what all reads of files have in common
/// @param types of features, instead of what the first records of the files looked at show: binary, utf8, int64,
/// float32
///     or a list of one of them
/// @param isRaw records stay as they are, in the column `bytes`
public record ReadTfRecords(FileReads files, Map<String, DataType> types, boolean isRaw)
        implements FileReadOptions<ReadTfRecords> {
    private static final ReadTfRecords DEFAULTS = new ReadTfRecords(FileReads.defaults(), Map.of(), false);

    public ReadTfRecords {
        types = Collections.unmodifiableMap(new LinkedHashMap<>(types));
    }

    /// Examples whose columns are told by a sample.
    public static ReadTfRecords defaults() {
        return DEFAULTS;
    }

    /// Records of any message, as bytes.
    public static ReadTfRecords raw() {
        return new ReadTfRecords(FileReads.defaults(), Map.of(), true);
    }

    /// The type of a feature's column.
    public ReadTfRecords type(String feature, DataType type) {
        Map<String, DataType> all = new LinkedHashMap<>(types);
        all.put(feature, type);
        return new ReadTfRecords(files, all, isRaw);
    }

    /// Which files, and columns made of their paths.
    @Override
    public ReadTfRecords files(FileReads options) {
        return new ReadTfRecords(options, types, isRaw);
    }

    /// See [FileReads#columns].
    public ReadTfRecords columns(String... names) {
        return files(files.columns(names));
    }
}
