/// Events for Java's flight recorder: what a profile shows of tasks, blocks, spilling, backpressure and actors. They
/// cost nothing while no recording runs. Their names and fields are listed in docs/metrics.md.
@NullMarked
package dev.millrace.internal.flight;

import org.jspecify.annotations.NullMarked;
