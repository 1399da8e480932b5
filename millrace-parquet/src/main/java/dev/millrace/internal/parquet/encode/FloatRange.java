package dev.millrace.internal.parquet.encode;

/// Bounds of floats of two, four or eight bytes, given as their bits. NaN is not ordered and is ignored; a bound of
/// zero gets the sign that covers both zeros.
public final class FloatRange implements ValueRange {
    private final int width;
    private double min;
    private double max;

    public FloatRange(int width) {
        this.width = width;
        clear();
    }

    public void add(long[] bits, int count) {
        double least = min;
        double most = max;
        for (int i = 0; i < count; i++) {
            double value = value(bits[i]);
            // A comparison with NaN is false.
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        min = least;
        max = most;
    }

    private double value(long bits) {
        return switch (width) {
            case 2 -> Float.float16ToFloat((short) bits);
            case 4 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }

    @Override
    public void add(ValueRange other) {
        FloatRange range = (FloatRange) other;
        min = Math.min(min, range.min);
        max = Math.max(max, range.max);
    }

    @Override
    public boolean isEmpty() {
        return min > max;
    }

    @Override
    public byte[] min() {
        return bytes(min == 0 ? -0.0 : min);
    }

    @Override
    public byte[] max() {
        return bytes(max == 0 ? 0.0 : max);
    }

    private byte[] bytes(double value) {
        long bits = switch (width) {
            case 2 -> Float.floatToFloat16((float) value);
            case 4 -> Float.floatToRawIntBits((float) value);
            default -> Double.doubleToRawLongBits(value);
        };
        byte[] bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[i] = (byte) (bits >>> (i << 3));
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
        min = Double.POSITIVE_INFINITY;
        max = Double.NEGATIVE_INFINITY;
    }

    @Override
    public int compare(byte[] a, byte[] b) {
        return Double.compare(value(bits(a)), value(bits(b)));
    }

    private static long bits(byte[] bytes) {
        long bits = 0;
        for (int i = 0; i < bytes.length; i++) {
            bits |= (bytes[i] & 0xFFL) << (i << 3);
        }
        return bits;
    }
}
