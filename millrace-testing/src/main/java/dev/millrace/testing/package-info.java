/// Tools for testing pipelines, sources, sinks and runtimes: contract suites, and a runtime that injects faults.
/// Datasets must give the same results on it as on any other.
@NullMarked
package dev.millrace.testing;

import org.jspecify.annotations.NullMarked;
