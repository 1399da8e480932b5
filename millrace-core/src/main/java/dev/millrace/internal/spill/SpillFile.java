package dev.millrace.internal.spill;

import dev.millrace.internal.arrow.RegionChecksums;
import dev.millrace.type.Schema;
import java.nio.file.Path;

/// A block on disk, as an Arrow IPC file.
///
/// @param fileBytes what it takes there
/// @param blockBytes what it takes in memory
/// @param checksums of what was written; kept here, since no file outlives its session
record SpillFile(Path path, long fileBytes, long blockBytes, long rows, Schema schema, RegionChecksums checksums) {}
