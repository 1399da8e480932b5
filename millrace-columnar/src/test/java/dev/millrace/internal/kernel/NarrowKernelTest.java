package dev.millrace.internal.kernel;

import static dev.millrace.type.DataType.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.RandomValues;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NarrowKernelTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    /// @param narrow null where the values need all of their bytes
    record Case(DataType type, List<?> values, DataType narrow) {}

    static List<Case> cases() {
        return List.of(
                new Case(INT64, Arrays.asList(-128L, null, 127L), INT8),
                new Case(INT64, List.of(128L), INT16),
                new Case(INT64, List.of(-129L), INT16),
                new Case(INT64, List.of(32767L, -32768L), INT16),
                new Case(INT64, List.of(32768L), INT32),
                new Case(INT64, List.of((long) Integer.MAX_VALUE, (long) Integer.MIN_VALUE), INT32),
                new Case(INT64, List.of(Integer.MAX_VALUE + 1L), null),
                new Case(INT64, List.of(Long.MIN_VALUE), null),
                new Case(INT32, List.of(70_000), null),
                new Case(INT16, List.of((short) 5), INT8),
                new Case(INT8, List.of((byte) 5), null),
                new Case(UINT32, List.of(4_294_967_295L), INT8),
                new Case(UINT64, List.of(new BigInteger("9223372036854775808")), null),
                new Case(decimal(15, 2), Arrays.asList(new BigDecimal("-0.01"), null), INT8),
                new Case(decimal(38, 0), List.of(new BigDecimal("9223372036854775807")), INT64),
                new Case(decimal(38, 0), List.of(new BigDecimal("-9223372036854775808")), INT64),
                new Case(decimal(38, 0), List.of(new BigDecimal("9223372036854775808")), null),
                new Case(decimal(38, 0), List.of(new BigDecimal("-18446744073709551615")), null),
                new Case(DATE, List.of(LocalDate.of(2024, 1, 1)), INT16),
                new Case(timestamp(TimeUnit.MICROSECOND), Arrays.asList((Object) null), INT8),
                new Case(INT64, List.of(), INT8),
                new Case(FLOAT64, List.of(1.0), null),
                new Case(UTF8, List.of("a"), null));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void valuesTakeAsFewBytesAsTheLargestNeeds(Case each) {
        Column column = Columns.of(memory.allocator(), each.type(), each.values());
        DataType narrow = NarrowKernel.typeFor(List.of(column));
        assertThat(narrow).isEqualTo(each.narrow());
        if (narrow != null) {
            assertComeBack(List.of(column), narrow, each.type(), each.values());
        }
        column.release();
    }

    @Test
    void columnsNarrowToWhatTheWidestNeeds() {
        Column small = Columns.of(memory.allocator(), INT64, List.of(1L, 2L));
        Column large = Columns.of(memory.allocator(), INT64, Arrays.asList(null, 40_000L));
        assertThat(NarrowKernel.typeFor(List.of(small, large))).isEqualTo(INT32);
        assertComeBack(List.of(small, large), INT32, INT64, Arrays.asList(1L, 2L, null, 40_000L));
        small.release();
        large.release();
    }

    @Test
    void narrowColumnsOfDifferentWidthsComeBackAsOne() {
        Column bytes = Columns.of(memory.allocator(), INT8, Arrays.asList((byte) -3, null));
        Column shorts = Columns.of(memory.allocator(), INT16, List.of((short) 300));
        Column restored = NarrowKernel.to(memory.allocator(), List.of(bytes, shorts), decimal(9, 1));
        assertThat(values(restored)).containsExactly(new BigDecimal("-0.3"), null, new BigDecimal("30.0"));
        List.of(bytes, shorts, restored).forEach(Column::release);
    }

    @RepeatedTest(100)
    void randomColumnsComeBack(RepetitionInfo repetition) {
        long seed = Seeds.seed() + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        RandomValues values = new RandomValues(random);
        DataType type =
                RandomValues.types().get(random.nextInt(RandomValues.types().size()));
        List<Object> all = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            List<Object> some = values.values(type, random.nextInt(3000), random.nextBoolean());
            columns.add(values.column(memory.allocator(), type, some));
            all.addAll(some);
        }
        DataType narrow = NarrowKernel.typeFor(columns);
        if (narrow != null) {
            try {
                assertComeBack(columns, narrow, type, all);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ", type " + type, e);
            }
        }
        columns.forEach(Column::release);
    }

    private void assertComeBack(List<Column> columns, DataType narrow, DataType type, List<?> expected) {
        Allocator allocator = memory.allocator();
        Column narrowed = NarrowKernel.to(allocator, columns, narrow);
        assertThat(narrowed.type()).isEqualTo(narrow);
        Column restored = NarrowKernel.to(allocator, List.of(narrowed), type);
        assertThat(restored.type()).isEqualTo(type);
        assertThat(values(restored)).isEqualTo(new ArrayList<>(expected));
        narrowed.release();
        restored.release();
    }

    private static List<Object> values(Column column) {
        List<Object> values = new ArrayList<>();
        for (long i = 0; i < column.length(); i++) {
            values.add(column.value(i));
        }
        return values;
    }
}
