package dev.millrace.runtime;

/// How far a running task is.
///
/// @param inputRows rows of its input that it is done with
/// @param outputRows rows that it has made or written, also those that are in no block yet
public record TaskProgress(long inputRows, long outputRows) {}
