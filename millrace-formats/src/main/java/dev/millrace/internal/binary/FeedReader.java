package dev.millrace.internal.binary;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.column.VariableWidthBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.source.FileRange;
import dev.millrace.storage.ByteFeed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A sequential reader of a file's bytes, for decoders: fields are read in place in a window, long values are copied
/// out of it. Memory grows with what was read and never with what a length field claims. One thread.
public final class FeedReader implements AutoCloseable {
    private static final long WINDOW = 256 << 10;
    /// Shorter distances are read through, longer ones are skipped by a seek if the file allows it.
    private static final long JUMP = 1 << 20;

    private final String path;
    /// Null if the bytes do not come from a file; then the size is unknown and seeking is impossible.
    private final @Nullable FileRange range;

    private ByteFeed feed;
    private final GrowingBuffer bytes;
    private MemorySegment window;
    private long at;
    private long end;
    /// The file position of the window's start.
    private long base;
    private long fileSize = -1;

    private FeedReader(String path, @Nullable FileRange range, ByteFeed feed, long position, Allocator allocator) {
        this.path = path;
        this.range = range;
        this.feed = feed;
        this.base = position;
        this.bytes = new GrowingBuffer(allocator, WINDOW);
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(feed);
            this.window = bytes.reserve(WINDOW);
            scope.keep();
        }
    }

    /// Reads a file from its first byte on, decompressed.
    public static FeedReader of(FileRange range, Allocator allocator) throws IOException {
        return at(range, 0, allocator);
    }

    /// Reads a file from `position` on, which is 0 for a compressed one.
    public static FeedReader at(FileRange range, long position, Allocator allocator) throws IOException {
        return new FeedReader(range.path(), range, range.bytes(position), position, allocator);
    }

    /// Reads bytes from another feed, such as a member of an archive; `path` names it in errors.
    public static FeedReader of(String path, ByteFeed feed, Allocator allocator) {
        return new FeedReader(path, null, feed, 0, allocator);
    }

    public String path() {
        return path;
    }

    /// The position of the next byte in the decompressed file.
    public long position() {
        return base + at;
    }

    /// The memory of the window; unread bytes begin at [#at]. Invalidated by every call that may read.
    public MemorySegment window() {
        return window;
    }

    public long at() {
        return at;
    }

    /// The number of unread bytes in the window.
    public long available() {
        return end - at;
    }

    /// True if `count` more bytes exist; they are in the window then.
    public boolean has(long count) throws IOException {
        while (end - at < count) {
            if (!fill(count)) {
                return false;
            }
        }
        return true;
    }

    /// Reads once, into a window with room for `count` bytes; false at the end of the file.
    private boolean fill(long count) throws IOException {
        if (end == window.byteSize()) {
            if (at > 0) {
                MemorySegment.copy(window, at, window, 0, end - at);
                base += at;
                end -= at;
                at = 0;
            } else {
                if (count > window.byteSize() && position() + count > size()) {
                    return false;
                }
                grow();
            }
        }
        int read = feed.read(window.asSlice(end));
        if (read < 0) {
            return false;
        }
        end += read;
        return true;
    }

    private void grow() {
        bytes.size(end);
        window = bytes.reserve(1);
    }

    /// The file's size if it is known, or Long.MAX_VALUE.
    public long size() throws IOException {
        if (fileSize < 0) {
            fileSize = range == null || range.isCompressed()
                    ? Long.MAX_VALUE
                    : range.file().size();
        }
        return fileSize;
    }

    /// Ensures that `count` bytes are in the window.
    ///
    /// @param what names the truncated item in the error: "a record"
    public void require(long count, String what) throws IOException {
        if (!has(count)) {
            throw truncated(what);
        }
    }

    public boolean atEnd() throws IOException {
        return !has(1);
    }

    /// Skips bytes that are in the window.
    public void advance(long count) {
        at += count;
    }

    /// Skips bytes, in the window or beyond it.
    public void skip(long count, String what) throws IOException {
        long left = count - (end - at);
        if (left <= 0) {
            at += count;
            return;
        }
        if (left > JUMP && range != null && !range.isCompressed()) {
            long target = position() + count;
            if (target < 0 || target > size()) {
                throw truncated(what);
            }
            feed.close();
            feed = range.bytes(target);
            base = target;
            at = 0;
            end = 0;
            return;
        }
        at = end;
        while (left > 0) {
            require(1, what);
            long step = Math.min(left, end - at);
            at += step;
            left -= step;
        }
    }

    /// Appends the next `count` bytes to the value under construction.
    public void addTo(VariableWidthBuilder builder, long count, String what) throws IOException {
        long left = count;
        while (left > 0) {
            require(1, what);
            long step = Math.min(left, end - at);
            builder.add(window, at, step);
            at += step;
            left -= step;
        }
    }

    /// Fills `target`, bypassing the window if it is large.
    public void read(MemorySegment target, String what) throws IOException {
        long done = Math.min(target.byteSize(), end - at);
        MemorySegment.copy(window, at, target, 0, done);
        at += done;
        while (done < target.byteSize()) {
            int count = feed.read(target.asSlice(done));
            if (count < 0) {
                throw truncated(what);
            }
            done += count;
            base += count;
        }
    }

    /// The next bytes as an array.
    public byte[] bytes(int count, String what) throws IOException {
        require(count, what);
        byte[] copy = new byte[count];
        MemorySegment.copy(window, JAVA_BYTE, at, copy, 0, count);
        at += count;
        return copy;
    }

    public MillraceException truncated(String what) {
        return malformed("the file ends in the middle of " + what);
    }

    /// An error about malformed content at the current position.
    public MillraceException malformed(String what) {
        return malformed(position(), what);
    }

    public MillraceException malformed(long position, String what) {
        return MillraceException.data("'" + path + "', byte " + position + ": " + what + ".");
    }

    @Override
    public void close() throws IOException {
        try {
            bytes.close();
        } finally {
            feed.close();
        }
    }
}
