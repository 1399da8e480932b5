package dev.millrace.benchmarks.workload;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Sums of floats: a thousand at a time in a form that the compiler vectorises, accumulated in a double.
final class FloatSums {
    private static final int LANES = 1024;

    private FloatSums() {}

    static double of(MemorySegment floats) {
        long count = floats.byteSize() / Float.BYTES;
        float[] sums = new float[LANES];
        float[] values = new float[LANES];
        for (long at = 0; at < count; at += LANES) {
            int length = (int) Math.min(LANES, count - at);
            MemorySegment.copy(floats, JAVA_FLOAT_UNALIGNED, at * Float.BYTES, values, 0, length);
            for (int i = 0; i < length; i++) {
                sums[i] += values[i];
            }
        }
        double sum = 0;
        for (float each : sums) {
            sum += each;
        }
        return sum;
    }
}
