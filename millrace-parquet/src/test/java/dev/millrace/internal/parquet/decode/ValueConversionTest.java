package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.internal.parquet.format.MalformedParquet;
import java.lang.foreign.MemorySegment;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class ValueConversionTest {
    private static final int JULIAN_1970 = 2_440_588;

    private static long timestamp(LocalDate day, long nanos) {
        MemorySegment stored = MemorySegment.ofArray(new byte[12]);
        stored.set(JAVA_LONG_UNALIGNED, 0, nanos);
        stored.set(JAVA_INT_UNALIGNED, 8, JULIAN_1970 + (int) day.toEpochDay());
        MemorySegment made = MemorySegment.ofArray(new byte[8]);
        Int96Conversion.toNanos(stored, 0, made, 0, 1);
        return made.get(JAVA_LONG_UNALIGNED, 0);
    }

    @Test
    void oldTimestampsAreNanosecondsSince1970() {
        assertThat(timestamp(LocalDate.of(1970, 1, 1), 5)).isEqualTo(5);
        assertThat(timestamp(LocalDate.of(1969, 12, 31), 86_399_999_999_999L)).isEqualTo(-1);
        assertThat(timestamp(LocalDate.of(2262, 4, 11), 85_636_854_775_807L)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aTimestampThatNanosecondsCannotHoldIsAnErrorAndNoOtherTime() {
        assertThatThrownBy(() -> timestamp(LocalDate.of(9999, 12, 31), 0))
                .isInstanceOf(MalformedParquet.class)
                .hasMessage("a timestamp of the day 9999-12-31 is beyond what nanoseconds can hold (1677 to 2262)");
    }
}
