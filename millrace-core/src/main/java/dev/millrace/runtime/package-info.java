/// The seam between the engine and whatever runs its tasks: threads of this process, a loopback that sends everything
/// through bytes, a cluster. The engine submits [dev.millrace.runtime.TaskSpec]s over [dev.millrace.runtime.BlockRef]s
/// and gets [dev.millrace.runtime.TaskEvent]s back. Nothing here knows plans, operators or transforms.
package dev.millrace.runtime;
