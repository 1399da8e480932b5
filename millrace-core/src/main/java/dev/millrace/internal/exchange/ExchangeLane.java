package dev.millrace.internal.exchange;

/// One of several exchanges that share one pass over their rows: each has its own shards, parts and output. The map
/// tasks of all are one ([LaneShards]), and so is the [LaneAssignment]; a reduce task is of one lane ([LaneReducer]).
///
/// @param number that what comes out is marked with, see [GlobalPart]; negative: what comes out is marked already
public record ExchangeLane(
        int number, LaneInput input, ShardMaker maker, ReduceAssignment division, ShuffleReducer reducer) {}
