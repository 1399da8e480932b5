/// The Arrow IPC formats behind [dev.millrace.arrow]: metadata (flatbuffers) to and from [WireField] trees, message
/// framing, buffer compression, and the walk over a batch's nodes and buffers in either direction. Bytes from outside
/// are checked here, all of them, so that nothing above meets a column that points beyond its memory.
package dev.millrace.internal.arrow;
