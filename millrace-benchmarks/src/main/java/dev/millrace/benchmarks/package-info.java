/// End-to-end measurements, alone or with a peer engine on the same machine in the same run: the input is the name of a
/// [Workload], the output is a [Report]. Uses the public API only, as a user's program would.
@NullMarked
package dev.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;
