package dev.millrace.internal.images.resample;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Writes rows into an image of bytes.
final class ByteRows implements PixelRowSink {
    private final PixelImage target;
    private final boolean unpremultiply;

    ByteRows(PixelImage target, boolean unpremultiply) {
        this.target = target;
        this.unpremultiply = unpremultiply;
    }

    @Override
    public void row(int y, int[] packed, int length) {
        if (unpremultiply) {
            PremultipliedAlpha.unpremultiply(packed, length);
        }
        long at = y * target.stride();
        switch (target.channels()) {
            case 1 -> grey(packed, target.segment(), at, length);
            case 3 -> colour(packed, target.segment(), at, length);
            default -> MemorySegment.copy(packed, 0, target.segment(), PixelLoader.PACKED, at, length);
        }
    }

    private static void grey(int[] packed, MemorySegment segment, long at, int length) {
        for (int x = 0; x < length; x++) {
            segment.set(JAVA_BYTE, at + x, (byte) packed[x]);
        }
    }

    /// Writes four bytes at a time: the next pixel overwrites the fourth, and the last pixel writes three.
    static void colour(int[] packed, MemorySegment segment, long at, int length) {
        int last = length - 1;
        for (int x = 0; x < last; x++) {
            segment.set(PixelLoader.PACKED, at + 3L * x, packed[x]);
        }
        long end = at + 3L * last;
        segment.set(JAVA_BYTE, end, (byte) packed[last]);
        segment.set(JAVA_BYTE, end + 1, (byte) (packed[last] >>> 8));
        segment.set(JAVA_BYTE, end + 2, (byte) (packed[last] >>> 16));
    }
}
