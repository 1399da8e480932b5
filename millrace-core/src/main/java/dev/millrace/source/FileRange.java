package dev.millrace.source;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.ByteFeed;
import dev.millrace.storage.RandomFile;
import java.io.IOException;

/// A file, or a part of one, for a [ReadFormat]. Of a splittable format, a reader gives the records whose first byte
/// lies in `from` to `to`: if `from` is not 0 it must find the first border by itself (looking back one byte tells
/// whether one lies right at `from`), and it reads past `to` to the end of its last record.
public interface FileRange {
    /// For errors.
    String path();

    /// 0 for a whole file.
    long from();

    /// Behind the last byte at which a record may begin; Long.MAX_VALUE for a whole file that is compressed.
    long to();

    /// Whether its bytes are unpacked on the way; then it is the whole file.
    boolean isCompressed();

    /// The decompressed bytes from `position` to the end of the *file*. Of compressed files only from 0.
    ByteFeed bytes(long position) throws IOException;

    /// The whole file, decompressed, with `padding` bytes behind that may be read but mean nothing. The caller releases
    /// it.
    ///
    /// @return the segment's first `size - padding` bytes are the file
    Buffer readAll(Allocator allocator, int padding) throws IOException;

    /// The file as it lies there, not decompressed. Closed with this range's reader.
    RandomFile file() throws IOException;
}
