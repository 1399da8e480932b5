/// Blocks that leave memory for disk when it is short. A [dev.millrace.internal.spill.StoredBlock] is in memory or in a
/// file; the [dev.millrace.internal.spill.BlockSpiller] chooses who leaves, the
/// [dev.millrace.internal.spill.SpillStore] writes, reads and deletes the files. Only what a dataset keeps is offered
/// here; blocks of a stream never are. Nothing here knows plans, operators or runtimes.
package dev.millrace.internal.spill;
