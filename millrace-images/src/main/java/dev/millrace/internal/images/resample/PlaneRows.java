package dev.millrace.internal.images.resample;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Writes rows as numbers, one plane per channel (CHW), or interleaved.
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
    private final byte[] bytes;

    /// @param channels of the image; a grey one fills every plane
    PlaneRows(PixelPlanes planes, int channels, int width, int height, MemorySegment target) {
        this.planes = planes;
        this.channels = channels;
        this.planeValues = (long) width * height;
        this.target = target;
        PlaneForm form = planes.form();
        this.values = form.isUnsigned() ? new float[0] : new float[width];
        this.halves = form == PlaneForm.FLOAT16 ? new short[width] : null;
        this.bytes = form == PlaneForm.UINT8 ? new byte[width] : new byte[0];
    }

    @Override
    public void row(int y, int[] packed, int length) {
        switch (planes.form()) {
            case FLOAT32, FLOAT16 -> numbers(y, packed, length);
            case UINT8 -> bytes(y, packed, length);
            case UINT8_INTERLEAVED -> {
                if (channels == 1) {
                    spread(packed, length);
                }
                ByteRows.colour(packed, target, 3L * y * length, length);
            }
        }
    }

    private void bytes(int y, int[] packed, int length) {
        for (int plane = 0; plane < planes.count(); plane++) {
            shiftOut(packed, channels == 1 ? 0 : 8 * plane, bytes, length);
            long at = plane * planeValues + (long) y * length;
            MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, at, length);
        }
    }

    private static void shiftOut(int[] packed, int shift, byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (packed[i] >>> shift);
        }
    }

    /// Grey as red, green and blue.
    private static void spread(int[] packed, int length) {
        for (int i = 0; i < length; i++) {
            packed[i] = (packed[i] & 255) * 0x010101;
        }
    }

    private void numbers(int y, int[] packed, int length) {
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
