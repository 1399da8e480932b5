package dev.millrace.internal.runtime.wire;

import java.util.List;

/// A file with the rows of one block, in chunks that can be read without the others. Each chunk is an Arrow stream.
///
/// @param name in the folder of its job
/// @param chunkRows the rows of each chunk but the last
/// @param ends of each chunk, the position after its last byte
public record ShardFile(String name, long chunkRows, List<Long> ends) {
    public ShardFile {
        ends = List.copyOf(ends);
    }

    /// The size of the file.
    public long bytes() {
        return ends.getLast();
    }

    /// The position of the first byte of a chunk.
    public long start(int chunk) {
        return chunk == 0 ? 0 : ends.get(chunk - 1);
    }
}
