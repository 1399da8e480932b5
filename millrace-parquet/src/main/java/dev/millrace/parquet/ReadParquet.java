package dev.millrace.parquet;

import dev.millrace.source.FileReadOptions;
import dev.millrace.source.FileReads;

/// Options of reading Parquet files.
///
/// @param files what all reads of files have in common; Parquet's compression is the files' own affair
/// @param checksums whether pages that carry a checksum are held against it
/// @param int96 what becomes of timestamps in 96 bits
public record ReadParquet(FileReads files, boolean checksums, Int96Timestamps int96)
        implements FileReadOptions<ReadParquet> {
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
    @Override
    public ReadParquet files(FileReads options) {
        return new ReadParquet(options, checksums, int96);
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
