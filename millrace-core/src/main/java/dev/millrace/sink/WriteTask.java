package dev.millrace.sink;

import dev.millrace.memory.Allocator;

/// One attempt of a task of a job.
///
/// @param attempt unique within the job: where the attempt's output goes, apart from that of all others
/// @param allocator the account for memory the writer needs
public record WriteTask(WriteJob job, String attempt, Allocator allocator) {}
