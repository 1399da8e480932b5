package dev.millrace.internal.images.resample;

import java.util.Arrays;

/// A sliding window of lines of packed pixels: line `n` stays until line `n + capacity` is written. Its arrays are
/// reused.
final class LineWindow {
    private int[][] ring = {};
    private int length;
    private int mask;

    /// Allocates room for at least `lines` lines of `pixels` pixels. The previous content is undefined.
    void prepare(int lines, int pixels) {
        int capacity = Integer.highestOneBit(Math.max(1, lines - 1)) * 2;
        mask = capacity - 1;
        if (ring.length < capacity || length < pixels) {
            length = Math.max(length, pixels);
            ring = Arrays.copyOf(ring, Math.max(ring.length, capacity));
            for (int i = 0; i < ring.length; i++) {
                if (ring[i] == null || ring[i].length < length) {
                    ring[i] = new int[length];
                }
            }
        }
    }

    int[] line(int index) {
        return ring[index & mask];
    }

    /// Transposes lines: `target.line(first + y)[x - offset] = line(x)[y]` for x from `from` to `to` and y from 0 to
    /// `count`.
    void turn(int from, int to, int offset, int count, LineWindow target, int first) {
        int y = 0;
        for (; y + 8 <= count; y += 8) {
            int[] target0 = target.line(first + y);
            int[] target1 = target.line(first + y + 1);
            int[] target2 = target.line(first + y + 2);
            int[] target3 = target.line(first + y + 3);
            int[] target4 = target.line(first + y + 4);
            int[] target5 = target.line(first + y + 5);
            int[] target6 = target.line(first + y + 6);
            int[] target7 = target.line(first + y + 7);
            for (int x = from; x < to; x++) {
                int[] line = line(x);
                int at = x - offset;
                target0[at] = line[y];
                target1[at] = line[y + 1];
                target2[at] = line[y + 2];
                target3[at] = line[y + 3];
                target4[at] = line[y + 4];
                target5[at] = line[y + 5];
                target6[at] = line[y + 6];
                target7[at] = line[y + 7];
            }
        }
        for (; y < count; y++) {
            int[] target0 = target.line(first + y);
            for (int x = from; x < to; x++) {
                target0[x - offset] = line(x)[y];
            }
        }
    }

    /// The capacity in pixels.
    long size() {
        return (long) ring.length * length;
    }
}
