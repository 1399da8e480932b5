package dev.millrace.internal.python;

import dev.millrace.memory.Buffer;

/// A batch in shared memory, as an Arrow stream.
///
/// @param counted the memory on the account of whoever sends it, while Python uses it
record SharedBatch(SharedSegment segment, Buffer counted, long length) {}
