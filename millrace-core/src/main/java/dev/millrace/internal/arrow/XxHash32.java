package dev.millrace.internal.arrow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// xxHash32 with seed 0, for inputs below 16 bytes: an LZ4 frame's header carries one byte of it.
final class XxHash32 {
    private static final int PRIME_1 = 0x9E3779B1;
    private static final int PRIME_2 = 0x85EBCA77;
    private static final int PRIME_3 = 0xC2B2AE3D;
    private static final int PRIME_4 = 0x27D4EB2F;
    private static final int PRIME_5 = 0x165667B1;

    private XxHash32() {}

    static int hash(MemorySegment in) {
        long length = in.byteSize();
        if (length >= 16) {
            throw new IllegalArgumentException("only for headers below 16 bytes, not " + length);
        }
        int hash = PRIME_5 + (int) length;
        long at = 0;
        for (; at + 4 <= length; at += 4) {
            hash = Integer.rotateLeft(hash + in.get(JAVA_INT_UNALIGNED, at) * PRIME_3, 17) * PRIME_4;
        }
        for (; at < length; at++) {
            hash = Integer.rotateLeft(hash + (in.get(JAVA_BYTE, at) & 0xFF) * PRIME_5, 11) * PRIME_1;
        }
        hash = (hash ^ hash >>> 15) * PRIME_2;
        hash = (hash ^ hash >>> 13) * PRIME_3;
        return hash ^ hash >>> 16;
    }
}
