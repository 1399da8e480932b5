/// Shuffles: one shape for all of them. Map tasks cluster the rows of their input by partition ([ShardMaker]), a
/// [ReduceAssignment] says which rows of which map task make a reduce task, and a [ShuffleReducer] makes the output of
/// these. All are values that travel; what runs them is in `internal.operator`. Nothing here knows plans or the engine.
package dev.millrace.internal.exchange;
