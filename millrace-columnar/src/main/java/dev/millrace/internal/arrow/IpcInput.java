package dev.millrace.internal.arrow;

import dev.millrace.compression.IpcCompression;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.nio.ByteBuffer;

/// A sequential input from memory, a channel or a part of a file. A premature end is a data error that names the
/// position; a failing device is a resources error. One thread.
public interface IpcInput {
    /// The name of the input, for errors: "Arrow file /data/a.arrow".
    String name();

    /// The number of bytes consumed so far.
    long position();

    /// The next `length` bytes as a little-endian buffer on the heap; fewer, if `mayEnd`, at the end of the input.
    ByteBuffer metadata(int length, boolean mayEnd);

    /// The next `length` bytes with one reference, at an address that is a multiple of 8: a view if the input is in
    /// memory, else memory of the reader's allocator.
    Buffer take(long length);

    void skip(long length);

    /// The codec for decompression, valid while this input is used.
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
