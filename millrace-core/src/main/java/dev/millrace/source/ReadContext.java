package dev.millrace.source;

import dev.millrace.memory.Allocator;

/// What a reader is given.
///
/// @param allocator the account for the blocks it makes
/// @param chunkBytes about how large they should be: small enough to stay in cache through a chain of transforms
/// @param meter what it reads of files is counted here
public record ReadContext(Allocator allocator, long chunkBytes, ReadMeter meter) {
    /// One whose reads nobody asks about.
    public ReadContext(Allocator allocator, long chunkBytes) {
        this(allocator, chunkBytes, new ReadMeter());
    }
}
