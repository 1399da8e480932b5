package dev.millrace.internal.compress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Incremental xxHash32 with seed 0: the checksum of LZ4 frames.
final class XxHash32 {
    private static final int PRIME_1 = 0x9E3779B1;
    private static final int PRIME_2 = 0x85EBCA77;
    private static final int PRIME_3 = 0xC2B2AE3D;
    private static final int PRIME_4 = 0x27D4EB2F;
    private static final int PRIME_5 = 0x165667B1;
    private static final int STRIPE = 16;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private int a = Integer.sum(PRIME_1, PRIME_2);
    private int b = PRIME_2;
    private int c;
    private int d = -PRIME_1;
    private long total;
    /// Bytes that do not fill a stripe yet.
    private final byte[] rest = new byte[STRIPE];

    private int restBytes;

    XxHash32 update(byte[] in, int from, int length) {
        total += length;
        int at = from;
        int end = from + length;
        if (restBytes > 0) {
            int count = Math.min(STRIPE - restBytes, length);
            System.arraycopy(in, at, rest, restBytes, count);
            restBytes += count;
            at += count;
            if (restBytes == STRIPE) {
                stripes(rest, 0, STRIPE);
                restBytes = 0;
            }
        }
        int whole = (end - at) & -STRIPE;
        stripes(in, at, at + whole);
        at += whole;
        if (at < end) {
            System.arraycopy(in, at, rest, restBytes, end - at);
            restBytes += end - at;
        }
        return this;
    }

    private void stripes(byte[] in, int from, int to) {
        int w = a;
        int x = b;
        int y = c;
        int z = d;
        for (int at = from; at < to; at += STRIPE) {
            w = round(w, (int) INT.get(in, at));
            x = round(x, (int) INT.get(in, at + 4));
            y = round(y, (int) INT.get(in, at + 8));
            z = round(z, (int) INT.get(in, at + 12));
        }
        a = w;
        b = x;
        c = y;
        d = z;
    }

    private static int round(int lane, int word) {
        return Integer.rotateLeft(lane + word * PRIME_2, 13) * PRIME_1;
    }

    int value() {
        int hash = total < STRIPE
                ? PRIME_5
                : Integer.rotateLeft(a, 1)
                        + Integer.rotateLeft(b, 7)
                        + Integer.rotateLeft(c, 12)
                        + Integer.rotateLeft(d, 18);
        hash += (int) total;
        int at = 0;
        for (; at + 4 <= restBytes; at += 4) {
            hash = Integer.rotateLeft(hash + (int) INT.get(rest, at) * PRIME_3, 17) * PRIME_4;
        }
        for (; at < restBytes; at++) {
            hash = Integer.rotateLeft(hash + (rest[at] & 0xFF) * PRIME_5, 11) * PRIME_1;
        }
        hash = (hash ^ hash >>> 15) * PRIME_2;
        hash = (hash ^ hash >>> 13) * PRIME_3;
        return hash ^ hash >>> 16;
    }
}
