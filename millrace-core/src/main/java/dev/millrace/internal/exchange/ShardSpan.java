package dev.millrace.internal.exchange;

import org.jspecify.annotations.Nullable;

/// Rows of one map task's output that go to one reduce task.
///
/// @param output the map task's number on its side
/// @param partitionRows how many of them belong to each partition of the part; null if that is not needed
public record ShardSpan(int output, long from, long rows, int @Nullable [] partitionRows) {}
