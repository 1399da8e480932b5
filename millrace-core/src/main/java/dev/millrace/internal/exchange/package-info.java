/// Shuffles: one mechanism for all of them. Map tasks cluster the rows of their input by partition ([ShardMaker]), a
/// [ReduceAssignment] decides which rows of which map task make a reduce task, and a [ShuffleReducer] computes its
/// output. All are serialisable values; `internal.operator` runs them. Nothing here depends on plans or the engine.
@NullMarked
package dev.millrace.internal.exchange;

import org.jspecify.annotations.NullMarked;
