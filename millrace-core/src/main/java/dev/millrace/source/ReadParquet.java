package dev.millrace.source;

import dev.millrace.type.DataType;
import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Options of reading Parquet files.
///
/// @param wanted the columns to read, in this order; null: all
/// @param paths adds the file's path to each row, in the column `path`
/// @param hive whether folders named `key=value` are columns; they come last
/// @param partitionTypes the types of such columns; of those not named here integers and dates are recognised, others
///     are strings
public record ReadParquet(List<String> wanted, boolean paths, boolean hive, Map<String, DataType> partitionTypes)
        implements Serializable {
    private static final ReadParquet DEFAULTS = new ReadParquet(null, false, true, Map.of());

    public ReadParquet {
        wanted = wanted == null ? null : List.copyOf(wanted);
        partitionTypes = Collections.unmodifiableMap(new LinkedHashMap<>(partitionTypes));
    }

    public static ReadParquet defaults() {
        return DEFAULTS;
    }

    /// Only these columns.
    public static ReadParquet columns(String... names) {
        return new ReadParquet(List.of(names), false, true, Map.of());
    }

    public ReadParquet includePaths() {
        return new ReadParquet(wanted, true, hive, partitionTypes);
    }

    /// Folders named `key=value` mean nothing.
    public ReadParquet withoutPartitions() {
        return new ReadParquet(wanted, paths, false, Map.of());
    }

    /// The type of a column that is made of folder names.
    public ReadParquet partition(String name, DataType type) {
        Map<String, DataType> types = new LinkedHashMap<>(partitionTypes);
        types.put(name, type);
        return new ReadParquet(wanted, paths, true, types);
    }
}
