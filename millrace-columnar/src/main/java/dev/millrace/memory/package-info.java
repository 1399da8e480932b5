/// Off-heap memory with owners. [dev.millrace.memory.SlabPool] reuses slabs, [dev.millrace.memory.Allocator] counts
/// every byte in a tree that mirrors ownership, [dev.millrace.memory.Buffer] is one reference-counted region. This
/// package does not depend on columns, blocks or tasks.
@NullMarked
package dev.millrace.memory;

import org.jspecify.annotations.NullMarked;
