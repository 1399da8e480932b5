package dev.millrace.source;

import dev.millrace.type.DataType;
import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// What all reads of files have in common.
///
/// @param paths adds the file's path to each row, in the column `path`
/// @param hive whether folders named `key=value` are columns; they come last
/// @param partitionTypes the types of such columns; of those not named here integers and dates are recognised, others
///     are strings
/// @param shuffleSeed reads the files in an order drawn from this seed; null: in the order of their names
/// @param ignoreMissing paths that are not there are left out, as long as one is
/// @param compression of all files: "gzip", "zstd", "lz4", "bzip2", "xz" or "none"; null: by the ending of each name
public record FileReads(
        boolean paths,
        boolean hive,
        Map<String, DataType> partitionTypes,
        Long shuffleSeed,
        boolean ignoreMissing,
        String compression)
        implements Serializable {
    private static final FileReads DEFAULTS = new FileReads(false, true, Map.of(), null, false, null);

    public FileReads {
        partitionTypes = Collections.unmodifiableMap(new LinkedHashMap<>(partitionTypes));
    }

    public static FileReads defaults() {
        return DEFAULTS;
    }

    public FileReads includePaths() {
        return new FileReads(true, hive, partitionTypes, shuffleSeed, ignoreMissing, compression);
    }

    /// Folders named `key=value` mean nothing.
    public FileReads withoutPartitions() {
        return new FileReads(paths, false, Map.of(), shuffleSeed, ignoreMissing, compression);
    }

    /// The type of a column that is made of folder names.
    public FileReads partition(String name, DataType type) {
        Map<String, DataType> types = new LinkedHashMap<>(partitionTypes);
        types.put(name, type);
        return new FileReads(paths, true, types, shuffleSeed, ignoreMissing, compression);
    }

    public FileReads shuffleFiles(long seed) {
        return new FileReads(paths, hive, partitionTypes, seed, ignoreMissing, compression);
    }

    public FileReads ignoreMissingPaths() {
        return new FileReads(paths, hive, partitionTypes, shuffleSeed, true, compression);
    }

    public FileReads compression(String name) {
        return new FileReads(paths, hive, partitionTypes, shuffleSeed, ignoreMissing, name);
    }
}
