package dev.millrace.internal.parquet.encode;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.Growth;

/// How the memory of pages and dictionaries grows.
public final class PageGrowth {
    private static final int FIRST_BYTES = 1 << 10;
    /// Bytes after the end that may be overwritten, so that short values are written in whole words.
    private static final int SLACK_BYTES = 16;
    /// The sizes of pages and dictionaries have 31 bits.
    private static final long MAX_BYTES = Integer.MAX_VALUE - 64;

    public static final Growth PAGE =
            Growth.from(FIRST_BYTES).withSlack(SLACK_BYTES).upTo(MAX_BYTES, PageGrowth::tooLarge);

    private PageGrowth() {}

    private static MillraceException tooLarge(long bytes) {
        return MillraceException.data("A page of a Parquet file cannot hold " + bytes
                + " bytes, and the values of one row of a column lie in one page. Write shorter lists or strings.");
    }
}
