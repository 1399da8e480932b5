package dev.millrace.internal.observe;

/// An error of a run: attempts of tasks that failed alike, or rows that an error policy tolerated.
///
/// @param operator the operator's name
/// @param kind what became of it: "attempt failed", "skipped rows", "dead letters"
/// @param message the sentence of the first one
/// @param where what the task of the first one worked on; empty if that is not known
/// @param count attempts, or rows
/// @param atNanos since the start of the run, when the last one was reported
public record RunError(String operator, String kind, String message, String where, long count, long atNanos) {}
