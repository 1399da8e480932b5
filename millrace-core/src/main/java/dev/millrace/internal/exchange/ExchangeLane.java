package dev.millrace.internal.exchange;

/// One of several exchanges that share one pass over their rows: each has its own shards, parts and output. They share
/// the map tasks ([LaneShards]) and the [LaneAssignment]; a reduce task belongs to one lane ([LaneReducer]).
///
/// @param number that marks its output, see [GlobalPart]; negative: the output is marked already
public record ExchangeLane(
        int number, LaneInput input, ShardMaker maker, ReduceAssignment assignment, ShuffleReducer reducer) {}
