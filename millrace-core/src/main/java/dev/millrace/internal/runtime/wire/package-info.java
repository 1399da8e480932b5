/// What travels between a driver and its workers, shared by all runtimes that ship work: messages and their bytes,
/// programs, blocks, and the worker's side of tasks and actors. Nothing here opens a connection.
@NullMarked
package dev.millrace.internal.runtime.wire;

import org.jspecify.annotations.NullMarked;
