/// The workloads, one class each. To add one: a class here, a line in [dev.millrace.benchmarks.workload.Workloads],
/// and, if a peer supports the same work, a function of that name in its script under resources/peers and in
/// [dev.millrace.benchmarks.Peer].
@NullMarked
package dev.millrace.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
