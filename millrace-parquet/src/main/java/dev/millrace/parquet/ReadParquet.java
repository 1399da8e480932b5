package dev.millrace.parquet;

import dev.millrace.source.FileReads;
import dev.millrace.source.ReadFormatOptions;
import dev.millrace.type.DataType;

/// Options of reading Parquet files.
///
/// @param files what all reads of files have in common; Parquet's compression is the files' own affair
/// @param checksums whether pages that carry a checksum are held against it
/// @param int96 what becomes of timestamps in 96 bits
public record ReadParquet(FileReads files, boolean checksums, Int96Timestamps int96) implements ReadFormatOptions {
    private static final ReadParquet DEFAULTS =
            new ReadParquet(FileReads.defaults(), true, Int96Timestamps.NANOSECONDS);

    /// All columns of all files.
    public static ReadParquet defaults() {
        return DEFAULTS;
    }

    /// Only these columns: see [FileReads#columns].
    public static ReadParquet columns(String... names) {
        return DEFAULTS.files(DEFAULTS.files.columns(names));
    }

    /// Which files, and columns made of their paths.
    public ReadParquet files(FileReads options) {
        return new ReadParquet(options, checksums, int96);
    }

    /// Adds the file's path to each row, in the column `path`.
    public ReadParquet includePaths() {
        return files(files.includePaths());
    }

    /// Folders named `key=value` mean nothing.
    public ReadParquet withoutPartitions() {
        return files(files.withoutPartitions());
    }

    /// The type of a column that is made of folder names.
    public ReadParquet partition(String name, DataType type) {
        return files(files.partition(name, type));
    }

    /// Reads the files in an order drawn from the seed: the same for the same files.
    public ReadParquet shuffleFiles(long seed) {
        return files(files.shuffleFiles(seed));
    }

    /// Paths that are not there are left out, as long as one is.
    public ReadParquet ignoreMissingPaths() {
        return files(files.ignoreMissingPaths());
    }

    /// See [FileReads#unionOfAllFiles].
    public ReadParquet unionOfAllFiles() {
        return files(files.unionOfAllFiles());
    }

    /// Does not look at the checksums of pages. They cost little, and tell of damage that nothing else tells of.
    public ReadParquet withoutChecksums() {
        return new ReadParquet(files, false, int96);
    }

    /// What becomes of timestamps in 96 bits; the default is an error for those that nanoseconds cannot hold.
    public ReadParquet int96(Int96Timestamps handling) {
        return new ReadParquet(files, checksums, handling);
    }
}
