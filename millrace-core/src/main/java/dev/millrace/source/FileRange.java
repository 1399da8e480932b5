package dev.millrace.source;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.ByteFeed;
import dev.millrace.storage.RandomFile;
import java.io.IOException;

/// A file, or a part of one, for a [ReadFormat]. For a splittable format, a reader returns the records whose first byte
/// is in `from` to `to`: if `from` is not 0 it must find the first record boundary itself (looking back one byte tells
/// whether one is exactly at `from`), and it reads past `to` to the end of its last record.
public interface FileRange {
    /// For errors.
    String path();

    /// 0 for a whole file.
    long from();

    /// The position after the last byte at which a record may begin; Long.MAX_VALUE for a whole compressed file.
    long to();

    /// Whether its bytes are decompressed while reading; then it is the whole file.
    boolean isCompressed();

    /// The decompressed bytes from `position` to the end of the *file*. For compressed files only from 0.
    ByteFeed bytes(long position) throws IOException;

    /// The whole file, decompressed, followed by `padding` bytes that may be read but have no meaning. The caller
    /// releases it.
    ///
    /// @return the segment's first `size - padding` bytes are the file
    Buffer readAll(Allocator allocator, int padding) throws IOException;

    /// The stored file, not decompressed. Closed with this range's reader.
    RandomFile file() throws IOException;
}
