package dev.millrace.stats;

import java.time.Duration;

/// What a session has spilled and read back so far.
///
/// @param spilledBlocks,spilledBytes blocks written, and their bytes in memory
/// @param writtenBytes their size on disk, compressed
/// @param readBlocks,readBytes blocks read back, and their bytes in memory
/// @param files,diskBytes what is on disk now
/// @param writing,reading time spent, by all threads together
public record SpillStats(
        long spilledBlocks,
        long spilledBytes,
        long writtenBytes,
        long readBlocks,
        long readBytes,
        long files,
        long diskBytes,
        Duration writing,
        Duration reading) {
    public static final SpillStats NONE = new SpillStats(0, 0, 0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO);
}
