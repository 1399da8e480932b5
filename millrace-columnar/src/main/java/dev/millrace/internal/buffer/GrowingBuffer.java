package dev.millrace.internal.buffer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Counted memory that grows at its end. Its first [#size] bytes are its contents, which move when it grows; what lies
/// behind them is undefined unless its [Growth] says otherwise. Takes no memory before the first byte. Numbers are
/// little-endian. One thread.
///
/// Loops that write much ask once by [#reserve], write into the memory that it answers, and then tell the new [#size].
public final class GrowingBuffer implements AutoCloseable {
    /// What [#putVarint] takes at most.
    public static final int MAX_VARINT_BYTES = 10;

    private final Allocator allocator;
    private final Growth growth;
    private Buffer buffer = Buffer.EMPTY;
    private MemorySegment memory = Buffer.EMPTY.segment();
    /// What it can hold as it is, without the slack.
    private long capacity;
    private long size;

    public GrowingBuffer(Allocator allocator, Growth growth) {
        this.allocator = allocator;
        this.growth = growth;
    }

    public GrowingBuffer(Allocator allocator, long firstBytes) {
        this(allocator, Growth.from(firstBytes));
    }

    /// Makes room for so many bytes more and answers all the memory, which may be another than before.
    public MemorySegment reserve(long more) {
        if (more > capacity - size) {
            grow(size + more);
        }
        return memory;
    }

    /// Makes room for so many bytes in all and answers all the memory, which may be another than before.
    public MemorySegment reserveTotal(long bytes) {
        if (bytes > capacity) {
            grow(bytes);
        }
        return memory;
    }

    /// Makes room for so many bytes more and not for the double of what it has: for sizes that are known.
    public MemorySegment reserveExactly(long more) {
        if (more > capacity - size) {
            resize(growth.exactly(size + more));
        }
        return memory;
    }

    private void grow(long needed) {
        resize(growth.next(capacity, needed));
    }

    private void resize(long next) {
        long bytes = next + growth.slackBytes();
        Buffer larger = growth.zeroed() ? allocator.allocateZeroed(bytes) : allocator.allocate(bytes);
        MemorySegment.copy(memory, 0, larger.segment(), 0, size);
        Buffer old = buffer;
        buffer = larger;
        memory = larger.segment();
        capacity = next;
        old.release();
    }

    /// All the memory, until the next call that makes room.
    public MemorySegment memory() {
        return memory;
    }

    /// Exactly what it holds, until the next call that makes room.
    public MemorySegment contents() {
        return memory.asSlice(0, size);
    }

    /// The memory behind the contents, of at least `count` bytes, for the caller to write to before [#advance].
    public MemorySegment room(long count) {
        return reserve(count).asSlice(size, capacity - size);
    }

    /// Takes in what was written behind the contents.
    public void advance(long count) {
        size += count;
    }

    public long size() {
        return size;
    }

    /// Moves the end, within what was reserved.
    public void size(long bytes) {
        size = bytes;
    }

    public void clear() {
        size = 0;
    }

    /// What it can hold without growing.
    public long capacity() {
        return capacity;
    }

    /// Bytes on the account.
    public long heldBytes() {
        return buffer.heldBytes();
    }

    public void putByte(int value) {
        reserve(1).set(JAVA_BYTE, size++, (byte) value);
    }

    public void putInt(int value) {
        reserve(Integer.BYTES).set(JAVA_INT_UNALIGNED, size, value);
        size += Integer.BYTES;
    }

    public void putLong(long value) {
        reserve(Long.BYTES).set(JAVA_LONG_UNALIGNED, size, value);
        size += Long.BYTES;
    }

    public void putFloat(float value) {
        reserve(Float.BYTES).set(JAVA_FLOAT_UNALIGNED, size, value);
        size += Float.BYTES;
    }

    public void putDouble(double value) {
        reserve(Double.BYTES).set(JAVA_DOUBLE_UNALIGNED, size, value);
        size += Double.BYTES;
    }

    /// Seven bits to a byte, the low ones first.
    public void putVarint(long value) {
        MemorySegment to = reserve(MAX_VARINT_BYTES);
        long at = size;
        long left = value;
        while ((left & ~0x7FL) != 0) {
            to.set(JAVA_BYTE, at++, (byte) (left & 0x7F | 0x80));
            left >>>= 7;
        }
        to.set(JAVA_BYTE, at++, (byte) left);
        size = at;
    }

    /// How many bytes [#putVarint] takes.
    public static int varintSize(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    /// A varint in which numbers near zero are short, whatever their sign.
    public void putZigzag(long value) {
        putVarint(value << 1 ^ value >> 63);
    }

    public void put(byte[] source) {
        put(source, source.length);
    }

    /// The first `count` bytes.
    public void put(byte[] source, int count) {
        MemorySegment.copy(source, 0, reserve(count), JAVA_BYTE, size, count);
        size += count;
    }

    public void put(MemorySegment source, long from, long count) {
        MemorySegment.copy(source, from, reserve(count), size, count);
        size += count;
    }

    /// The buffer with the contents and whatever is reserved behind them; it belongs to the caller, and this is empty.
    public Buffer take() {
        Buffer taken = buffer;
        buffer = Buffer.EMPTY;
        memory = buffer.segment();
        capacity = 0;
        size = 0;
        return taken;
    }

    /// Gives the memory back; what comes then begins anew.
    @Override
    public void close() {
        take().release();
    }
}
