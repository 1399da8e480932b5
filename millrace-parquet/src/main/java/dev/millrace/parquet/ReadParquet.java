package dev.millrace.parquet;

import dev.millrace.source.FileReadOptions;
import dev.millrace.source.FileReads;

/// Options for reading Parquet files.
///
/// @param files options shared by all file formats; compression does not apply, because Parquet compresses its pages
/// @param checksums whether the checksums of pages are verified, if they have any
/// @param int96 how INT96 timestamps are read
public record ReadParquet(FileReads files, boolean checksums, Int96Timestamps int96)
        implements FileReadOptions<ReadParquet> {
    private static final ReadParquet DEFAULTS =
            new ReadParquet(FileReads.defaults(), true, Int96Timestamps.NANOSECONDS);

    /// All columns of all files.
    public static ReadParquet defaults() {
        return DEFAULTS;
    }

    /// Reads only these columns: see [FileReads#columns].
    public static ReadParquet columns(String... names) {
        return DEFAULTS.files(DEFAULTS.files.columns(names));
    }

    /// Selects files, and columns that come from their paths.
    @Override
    public ReadParquet files(FileReads options) {
        return new ReadParquet(options, checksums, int96);
    }

    /// Does not verify the checksums of pages. Verification costs little, and detects damage that is otherwise
    /// unnoticed.
    public ReadParquet withoutChecksums() {
        return new ReadParquet(files, false, int96);
    }

    /// How INT96 timestamps are read; by default those outside of the range of nanoseconds are errors.
    public ReadParquet int96(Int96Timestamps handling) {
        return new ReadParquet(files, checksums, handling);
    }
}
