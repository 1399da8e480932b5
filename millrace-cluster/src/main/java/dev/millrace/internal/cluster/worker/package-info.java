/// A worker: a process with an embedded runtime, its own memory and spill folder, and one port for drivers and for the
/// other workers. [dev.millrace.internal.cluster.worker.WorkerMain] starts it.
@NullMarked
package dev.millrace.internal.cluster.worker;

import org.jspecify.annotations.NullMarked;
