/// End-to-end measurements, alone and beside a peer engine on the same machine in the same run: a [Workload]'s name
/// comes in, a [Report] goes out. Uses the public API only, as a user's program would.
package dev.millrace.benchmarks;
