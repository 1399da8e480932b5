/// The Arrow IPC formats for [dev.millrace.arrow]: metadata (flatbuffers) to and from [WireField] trees, message
/// framing, buffer compression, and encoding and decoding the nodes and buffers of a batch. All external bytes are
/// validated here, so that no other package sees a column that points beyond its memory.
@NullMarked
package dev.millrace.internal.arrow;

import org.jspecify.annotations.NullMarked;
