/// Comparisons of engines in fresh processes: the first run of each ([dev.millrace.benchmarks.suite.ColdBench]), and
/// all workloads with a report ([dev.millrace.benchmarks.suite.BenchSuite]).
@NullMarked
package dev.millrace.benchmarks.suite;

import org.jspecify.annotations.NullMarked;
