package dev.millrace.internal.parquet.encode;

/// Bounds of integers of one, four or eight bytes, signed or unsigned. Unsigned ones below eight bytes are
/// zero-extended.
public final class LongRange implements ValueRange {
    private final int width;
    private final boolean signed;
    /// Maps the unsigned to the signed order.
    private final long flip;

    private long min;
    private long max;

    public LongRange(int width, boolean signed) {
        this.width = width;
        this.signed = signed;
        this.flip = signed || width < Long.BYTES ? 0 : Long.MIN_VALUE;
        clear();
    }

    public void add(long[] values, int count) {
        long least = min;
        long most = max;
        long turn = flip;
        for (int i = 0; i < count; i++) {
            long value = values[i] ^ turn;
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        min = least;
        max = most;
    }

    @Override
    public void add(ValueRange other) {
        LongRange range = (LongRange) other;
        min = Math.min(min, range.min);
        max = Math.max(max, range.max);
    }

    @Override
    public boolean isEmpty() {
        return min > max;
    }

    @Override
    public byte[] min() {
        return bytes(min ^ flip);
    }

    @Override
    public byte[] max() {
        return bytes(max ^ flip);
    }

    private byte[] bytes(long value) {
        byte[] bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[i] = (byte) (value >>> (i << 3));
        }
        return bytes;
    }

    @Override
    public boolean isMinExact() {
        return true;
    }

    @Override
    public boolean isMaxExact() {
        return true;
    }

    @Override
    public void clear() {
        min = Long.MAX_VALUE;
        max = Long.MIN_VALUE;
    }

    @Override
    public int compare(byte[] a, byte[] b) {
        return Long.compare(number(a) ^ flip, number(b) ^ flip);
    }

    private long number(byte[] bytes) {
        long number = 0;
        for (int i = 0; i < width; i++) {
            number |= (bytes[i] & 0xFFL) << (i << 3);
        }
        return width == Integer.BYTES && signed ? (int) number : number;
    }
}
