/// Workloads on a cluster of this machine, beside the same in one process and in a peer on the same cluster: each in
/// processes of its own, whose CPU time and memory are read from outside.
@NullMarked
package dev.millrace.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
