package dev.millrace.internal.arrow;

import dev.millrace.compression.IpcCompression;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.nio.ByteBuffer;

/// Bytes in order, from memory, a channel or a part of a file. One thread. Running out is a data error that says
/// where; a failing device is a resources error.
public interface IpcInput {
    /// What is read, for errors: "Arrow file /data/a.arrow".
    String name();

    /// Bytes passed so far.
    long position();

    /// The next `length` bytes as a little-endian buffer on the heap; fewer, only when `mayEnd`, at the end of the
    /// input.
    ByteBuffer metadata(int length, boolean mayEnd);

    /// The next `length` bytes with one reference, at an address that is a multiple of 8: a view of memory where that
    /// is what is read, else memory of the reader's allocator.
    Buffer take(long length);

    void skip(long length);

    /// What to decompress with, while this source is used.
    default BufferCodec codec(IpcCompression compression) {
        return new BufferCodec(compression);
    }

    /// Decompresses the next `length` bytes to `bytes` bytes, in memory of `allocator`.
    default Buffer decompress(BufferCodec codec, long length, long bytes, Allocator allocator, String where) {
        Buffer packed = take(length);
        try {
            return codec.decompress(packed.segment(), bytes, allocator, where);
        } finally {
            packed.release();
        }
    }
}
