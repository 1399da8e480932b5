package dev.millrace.internal.spill;

import dev.millrace.internal.arrow.RegionChecksums;
import dev.millrace.type.Schema;
import java.nio.file.Path;

/// A spilled block, as an Arrow IPC file.
///
/// @param fileBytes its size on disk
/// @param blockBytes its size in memory
/// @param checksums of what was written; kept here, since no file outlives its session
record SpillFile(Path path, long fileBytes, long blockBytes, long rows, Schema schema, RegionChecksums checksums) {}
