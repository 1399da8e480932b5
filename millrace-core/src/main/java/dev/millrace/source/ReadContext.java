package dev.millrace.source;

import dev.millrace.memory.Allocator;

/// The environment of a reader.
///
/// @param allocator the account for the blocks it creates
/// @param chunkBytes their approximate size: small enough to stay in cache through a chain of transforms
/// @param meter counts what it reads of files
public record ReadContext(Allocator allocator, long chunkBytes, ReadMeter meter) {
    /// A context whose reads are not measured.
    public ReadContext(Allocator allocator, long chunkBytes) {
        this(allocator, chunkBytes, new ReadMeter());
    }
}
