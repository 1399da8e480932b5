/// The `millrace` command: the input is arguments, the output is an exit code.
///
/// A subcommand is one class here that parses its options and calls the public API; pipelines themselves live in the
/// examples and benchmarks.
@NullMarked
package dev.millrace.cli;

import org.jspecify.annotations.NullMarked;
