/// The seam: the interface between the engine and what runs its tasks: threads of this process, a loopback that
/// serialises everything, a cluster. The engine submits [dev.millrace.runtime.TaskSpec]s over
/// [dev.millrace.runtime.BlockRef]s and gets [dev.millrace.runtime.TaskEvent]s back. Nothing here depends on plans,
/// operators or transforms.
@NullMarked
package dev.millrace.runtime;

import org.jspecify.annotations.NullMarked;
