/// Spilling of blocks to disk when memory is short. A [dev.millrace.internal.spill.StoredBlock] is in memory or in a
/// file; the [dev.millrace.internal.spill.BlockSpiller] chooses blocks, the [dev.millrace.internal.spill.SpillStore]
/// writes, reads and deletes the files. Only blocks that a dataset keeps are offered here; blocks of a stream never
/// are. Nothing here depends on plans, operators or runtimes.
@NullMarked
package dev.millrace.internal.spill;

import org.jspecify.annotations.NullMarked;
