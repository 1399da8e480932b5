package dev.millrace.sink;

import dev.millrace.memory.Allocator;

/// One attempt of a task of a job.
///
/// @param attempt unique within the job: separates the attempt's output from that of all others
/// @param allocator the account for memory that the writer needs
public record WriteTask(WriteJob job, String attempt, Allocator allocator) {}
