package dev.millrace.benchmarks.workload;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Sums of floats in doubles, with enough sums at once to keep the processor busy.
final class FloatSums {
    private FloatSums() {}

    static double of(MemorySegment floats) {
        long count = floats.byteSize() / Float.BYTES;
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        long i = 0;
        for (; i + 4 <= count; i += 4) {
            a += floats.get(JAVA_FLOAT_UNALIGNED, i * 4);
            b += floats.get(JAVA_FLOAT_UNALIGNED, i * 4 + 4);
            c += floats.get(JAVA_FLOAT_UNALIGNED, i * 4 + 8);
            d += floats.get(JAVA_FLOAT_UNALIGNED, i * 4 + 12);
        }
        for (; i < count; i++) {
            a += floats.get(JAVA_FLOAT_UNALIGNED, i * 4);
        }
        return a + b + c + d;
    }
}
