package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;
import java.time.LocalDate;

/// Converts INT96 timestamps (nanoseconds of the day and a Julian day, as written by Impala and old versions of Spark)
/// to the time since 1970.
public final class Int96Conversion {
    /// A marker for timestamps beyond the range of nanoseconds, never a valid timestamp: the first nanosecond of a
    /// 64-bit range, in 1677, means "no time" in pandas too.
    public static final long BEYOND = Long.MIN_VALUE;

    private static final int WIDTH = 12;
    private static final long DAY_OF_1970 = 2_440_588;
    private static final long NANOS_OF_DAY = 86_400_000_000_000L;
    private static final long MICROS_OF_DAY = NANOS_OF_DAY / 1000;

    private Int96Conversion() {}

    static void toNanos(MemorySegment from, long at, MemorySegment to, long target, int count) {
        for (int i = 0; i < count; i++) {
            try {
                to.set(JAVA_LONG_UNALIGNED, target + 8L * i, nanos(from, at + (long) WIDTH * i));
            } catch (ArithmeticException e) {
                throw new MalformedParquet(
                        "a timestamp of the day " + LocalDate.ofEpochDay(day(from, at + (long) WIDTH * i))
                                + " is beyond what nanoseconds can hold (1677 to 2262)",
                        "Read such timestamps in microseconds with the option int96(Int96Timestamps.MICROSECONDS), or as"
                                + " null with int96(Int96Timestamps.NULL_BEYOND_NANOSECONDS).");
            }
        }
    }

    static void toNanosOrBeyond(MemorySegment from, long at, MemorySegment to, long target, int count) {
        for (int i = 0; i < count; i++) {
            long value;
            try {
                value = nanos(from, at + (long) WIDTH * i);
            } catch (ArithmeticException e) {
                value = BEYOND;
            }
            to.set(JAVA_LONG_UNALIGNED, target + 8L * i, value);
        }
    }

    /// Microseconds cover the days that 32 bits can count up to the year 294,247.
    static void toMicros(MemorySegment from, long at, MemorySegment to, long target, int count) {
        for (int i = 0; i < count; i++) {
            long place = at + (long) WIDTH * i;
            try {
                long micros = Math.addExact(
                        Math.multiplyExact(day(from, place), MICROS_OF_DAY),
                        Math.floorDiv(from.get(JAVA_LONG_UNALIGNED, place), 1000L));
                to.set(JAVA_LONG_UNALIGNED, target + 8L * i, micros);
            } catch (ArithmeticException e) {
                throw new MalformedParquet("a timestamp of the day " + LocalDate.ofEpochDay(day(from, place))
                        + " is beyond what microseconds can hold");
            }
        }
    }

    private static long nanos(MemorySegment from, long place) {
        return Math.addExact(Math.multiplyExact(day(from, place), NANOS_OF_DAY), from.get(JAVA_LONG_UNALIGNED, place));
    }

    /// The day since 1970.
    private static long day(MemorySegment from, long place) {
        return (from.get(JAVA_INT_UNALIGNED, place + Long.BYTES) & 0xFFFF_FFFFL) - DAY_OF_1970;
    }
}
