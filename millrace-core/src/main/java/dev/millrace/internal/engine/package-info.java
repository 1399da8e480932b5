/// The scheduler: one event-driven loop thread per run owns all operators and queues; all other threads post events.
/// Depends on physical plans and the runtime seam, but not on transforms or user functions.
@NullMarked
package dev.millrace.internal.engine;

import org.jspecify.annotations.NullMarked;
