package dev.millrace.internal.parquet.read;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.parquet.decode.WordPadding;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.ReadMeter;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Random access to the bytes of a file. A small file is read once, as a whole, and all ranges are served from memory.
final class FileBytes implements AutoCloseable {
    private static final long SMALL = 256 << 10;

    private final String name;
    /// Open, for a large file; null for a small one.
    private final @Nullable RandomFile input;
    private final long size;
    /// Null for a large file.
    private final @Nullable Buffer whole;

    private FileBytes(String name, @Nullable RandomFile input, long size, @Nullable Buffer whole) {
        this.name = name;
        this.input = input;
        this.size = size;
        this.whole = whole;
    }

    static FileBytes open(StoredFile file, Allocator allocator) {
        return open(file, allocator, new ReadMeter());
    }

    /// @param meter counts what is read
    static FileBytes open(StoredFile file, Allocator allocator, ReadMeter meter) {
        try (ResourceScope scope = new ResourceScope()) {
            RandomFile input =
                    scope.add(meter.counted(StorageRegistry.of(file.path()).open(file, allocator)));
            long size = input.size();
            if (size > SMALL) {
                return scope.keep(new FileBytes(file.path(), input, size, null));
            }
            Buffer whole = scope.add(allocator.allocate(size + WordPadding.BYTES));
            fill(input, 0, whole.segment().asSlice(0, size));
            input.requireUnchanged();
            input.close();
            return scope.keep(new FileBytes(file.path(), null, size, whole));
        } catch (IOException e) {
            throw StorageRegistry.unreadable(file.path(), e);
        }
    }

    String name() {
        return name;
    }

    long size() {
        return size;
    }

    /// The whole file followed by [WordPadding#BYTES], or null if it is large.
    @Nullable
    MemorySegment whole() {
        return whole == null ? null : whole.segment();
    }

    /// Fills `target` with the bytes at `position`.
    void read(long position, MemorySegment target) {
        if (position < 0 || target.byteSize() > size - position) {
            throw new MalformedParquet("bytes " + position + " to " + (position + target.byteSize())
                    + " are beyond the end of the file, which has " + size);
        }
        if (whole != null) {
            MemorySegment.copy(whole.segment(), position, target, 0, target.byteSize());
            return;
        }
        try {
            fill(Objects.requireNonNull(input, "a large file is open"), position, target);
        } catch (IOException e) {
            throw StorageRegistry.unreadable(name, e);
        }
    }

    /// The `count` bytes at `position`.
    byte[] read(long position, int count) {
        byte[] bytes = new byte[count];
        read(position, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /// Announces what will be read soon, see [RandomFile#willRead].
    void willRead(List<RandomFile.Range> ranges) {
        if (input != null && whole == null) {
            input.willRead(ranges);
        }
    }

    /// @throws MillraceException culprit RESOURCES, if what was read may not be the file that was opened
    void requireUnchanged() {
        try {
            if (input != null) {
                input.requireUnchanged();
            }
        } catch (IOException e) {
            throw StorageRegistry.unreadable(name, e);
        }
    }

    private static void fill(RandomFile file, long position, MemorySegment target) throws IOException {
        try {
            file.readFully(position, target);
        } catch (EOFException e) {
            throw new MalformedParquet(Objects.requireNonNullElse(e.getMessage(), "it ends too early"));
        }
    }

    private static void closeQuietly(@Nullable RandomFile input) {
        try {
            if (input != null) {
                input.close();
            }
        } catch (IOException _) {
            // The file was open for reading only.
        }
    }

    @Override
    public void close() {
        if (whole != null) {
            whole.release();
        }
        closeQuietly(input);
    }
}
