package dev.millrace.source;

import dev.millrace.type.DataType;
import java.io.Serializable;
import java.util.List;

/// Options of reading Parquet files.
///
/// @param wanted the columns to read, in this order; null: all
/// @param files what all reads of files have in common; Parquet's compression is the files' own affair
/// @param checksums whether pages that carry a checksum are held against it
public record ReadParquet(List<String> wanted, FileReads files, boolean checksums) implements Serializable {
    private static final ReadParquet DEFAULTS = new ReadParquet(null, FileReads.defaults(), true);

    public ReadParquet {
        wanted = wanted == null ? null : List.copyOf(wanted);
    }

    public static ReadParquet defaults() {
        return DEFAULTS;
    }

    /// Only these columns.
    public static ReadParquet columns(String... names) {
        return new ReadParquet(List.of(names), DEFAULTS.files, true);
    }

    private ReadParquet with(FileReads other) {
        return new ReadParquet(wanted, other, checksums);
    }

    /// Adds the file's path to each row, in the column `path`.
    public ReadParquet includePaths() {
        return with(files.includePaths());
    }

    /// Folders named `key=value` mean nothing.
    public ReadParquet withoutPartitions() {
        return with(files.withoutPartitions());
    }

    /// The type of a column that is made of folder names.
    public ReadParquet partition(String name, DataType type) {
        return with(files.partition(name, type));
    }

    /// Reads the files in an order drawn from the seed: the same for the same files.
    public ReadParquet shuffleFiles(long seed) {
        return with(files.shuffleFiles(seed));
    }

    /// Paths that are not there are left out, as long as one is.
    public ReadParquet ignoreMissingPaths() {
        return with(files.ignoreMissingPaths());
    }

    /// See [FileReads#unionOfAllFiles].
    public ReadParquet unionOfAllFiles() {
        return with(files.unionOfAllFiles());
    }

    /// Does not look at the checksums of pages. They cost little, and tell of damage that nothing else tells of.
    public ReadParquet withoutChecksums() {
        return new ReadParquet(wanted, files, false);
    }
}
