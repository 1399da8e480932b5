package dev.millrace.internal.images.resample;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Writes rows as normalised numbers, one plane per channel (CHW).
final class PlaneRows implements PixelRowSink {
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort HALF = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final PixelPlanes planes;
    private final int channels;
    private final long planeValues;
    private final MemorySegment target;
    private final float[] values;
    private final short @Nullable [] halves;

    /// @param channels of the image; a grey one fills every plane
    PlaneRows(PixelPlanes planes, int channels, int width, int height, MemorySegment target) {
        this.planes = planes;
        this.channels = channels;
        this.planeValues = (long) width * height;
        this.target = target;
        this.values = new float[width];
        this.halves = planes.half() ? new short[width] : null;
    }

    @Override
    public void row(int y, int[] packed, int length) {
        for (int plane = 0; plane < planes.count(); plane++) {
            int shift = channels == 1 ? 0 : 8 * plane;
            normalise(packed, shift, planes.scale(plane), planes.bias(plane), values, length);
            long at = plane * planeValues + (long) y * length;
            if (halves == null) {
                MemorySegment.copy(values, 0, target, FLOAT, at * Float.BYTES, length);
            } else {
                round(values, halves, length);
                MemorySegment.copy(halves, 0, target, HALF, at * Short.BYTES, length);
            }
        }
    }

    private static void normalise(int[] packed, int shift, float scale, float bias, float[] values, int length) {
        for (int i = 0; i < length; i++) {
            values[i] = (packed[i] >>> shift & 255) * scale + bias;
        }
    }

    private static void round(float[] values, short[] halves, int length) {
        for (int i = 0; i < length; i++) {
            halves[i] = Float.floatToFloat16(values[i]);
        }
    }
}
