package dev.millrace.internal.kernel;

import java.lang.foreign.MemorySegment;

/// Copies a run of bytes for a kernel, and returns when all of them are there.
@FunctionalInterface
public interface RunCopy {
    /// By the calling thread.
    RunCopy PLAIN = MemorySegment::copy;

    void copy(MemorySegment source, long from, MemorySegment target, long at, long bytes);
}
