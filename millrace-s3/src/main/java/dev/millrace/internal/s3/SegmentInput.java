package dev.millrace.internal.s3;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// An input stream over a segment that supports mark and reset, as a retried request needs them.
final class SegmentInput extends InputStream {
    private final MemorySegment segment;
    private long position;
    private long marked;

    SegmentInput(MemorySegment segment) {
        this.segment = segment;
    }

    @Override
    public int read() {
        return position == segment.byteSize() ? -1 : segment.get(ValueLayout.JAVA_BYTE, position++) & 0xff;
    }

    @Override
    public int read(byte[] target, int from, int length) {
        if (length == 0) {
            return 0;
        }
        int count = (int) Math.min(length, segment.byteSize() - position);
        if (count == 0) {
            return -1;
        }
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, position, target, from, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, segment.byteSize() - position);
    }

    @Override
    public long skip(long bytes) {
        long count = Math.clamp(bytes, 0, segment.byteSize() - position);
        position += count;
        return count;
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public synchronized void mark(int limit) {
        marked = position;
    }

    @Override
    public synchronized void reset() {
        position = marked;
    }
}
