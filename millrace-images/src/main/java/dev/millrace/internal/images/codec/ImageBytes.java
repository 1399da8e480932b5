package dev.millrace.internal.images.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Reads numbers at any offset of a file. Offsets beyond its end throw [IndexOutOfBoundsException].
final class ImageBytes {
    private static final ValueLayout.OfShort SHORT_BIG =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT_LITTLE =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT_BIG = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT_LITTLE =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG_BIG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG_LITTLE =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private ImageBytes() {}

    static int unsigned(MemorySegment bytes, long at) {
        return bytes.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    static int shortBig(MemorySegment bytes, long at) {
        return bytes.get(SHORT_BIG, at) & 0xFFFF;
    }

    static int shortLittle(MemorySegment bytes, long at) {
        return bytes.get(SHORT_LITTLE, at) & 0xFFFF;
    }

    static int intBig(MemorySegment bytes, long at) {
        return bytes.get(INT_BIG, at);
    }

    static int intLittle(MemorySegment bytes, long at) {
        return bytes.get(INT_LITTLE, at);
    }

    static int threeLittle(MemorySegment bytes, long at) {
        return shortLittle(bytes, at) | unsigned(bytes, at + 2) << 16;
    }

    static int shortAt(MemorySegment bytes, long at, boolean little) {
        return little ? shortLittle(bytes, at) : shortBig(bytes, at);
    }

    static long intAt(MemorySegment bytes, long at, boolean little) {
        return (little ? intLittle(bytes, at) : intBig(bytes, at)) & 0xFFFF_FFFFL;
    }

    static long longAt(MemorySegment bytes, long at, boolean little) {
        return bytes.get(little ? LONG_LITTLE : LONG_BIG, at);
    }
}
