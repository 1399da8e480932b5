package dev.millrace.examples.guide;

import java.io.Serializable;

/// What became of a sample.
///
/// @param name of its class
/// @param printed on standard output
/// @param failure its stack; null: it ended
record SampleResult(String name, String printed, String failure, long millis) implements Serializable {}
