package dev.millrace.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.RandomValues;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ColumnCollectorTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    static List<DataType> types() {
        return RandomValues.types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void valuesOfEveryTypeComeOutInTheOrderInWhichTheyWereAdded(DataType type) {
        check(type, new Random(7));
    }

    @RepeatedTest(60)
    void valuesOfRandomTypesComeOutInTheOrderInWhichTheyWereAdded(RepetitionInfo repetition) {
        long seed = Seeds.seed() + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        DataType type = new RandomValues(random).type(3);
        try {
            check(type, random);
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ", type " + type, e);
        }
    }

    /// Parts of columns, let go as soon as they were added; the sizes told before may be wrong.
    private void check(DataType type, Random random) {
        RandomValues values = new RandomValues(random);
        List<Object> expected = new ArrayList<>();
        try (ColumnCollector collector =
                new ColumnCollector(memory.allocator(), random.nextInt(200), random.nextInt(2000))) {
            for (int i = random.nextInt(4); i >= 0; i--) {
                List<Object> all = values.values(type, 1 + random.nextInt(60), random.nextBoolean());
                int from = random.nextInt(all.size());
                int count = random.nextInt(all.size() - from + 1);
                Column column = values.column(memory.allocator(), type, all);
                collector.add(column.slice(from, count));
                column.release();
                expected.addAll(all.subList(from, from + count));
            }
            Column built = collector.build();
            assertThat(RandomValues.valuesOf(built)).isEqualTo(RandomValues.comparable(expected));
            built.release();
        }
    }

    @Test
    void nothingAddedIsNoColumn() {
        try (ColumnCollector collector = new ColumnCollector(memory.allocator(), 10, 10)) {
            assertThat(collector.build()).isNull();
        }
    }

    @Test
    void aColumnOfAnotherTypeMakesAllValuesOfTheCommonOne() {
        try (ColumnCollector collector = new ColumnCollector(memory.allocator(), 6, 0)) {
            add(collector, DataType.NULL, Collections.nCopies(1, null));
            add(collector, DataType.INT32, Arrays.asList(1, null));
            add(collector, DataType.INT64, List.of(1L << 40));
            add(collector, DataType.INT16, List.of((short) 3));
            Column built = collector.build();
            assertThat(built.type()).isEqualTo(DataType.INT64);
            assertThat(RandomValues.valuesOf(built)).isEqualTo(Arrays.asList(null, 1L, null, 1L << 40, 3L));
            built.release();
        }
    }

    @Test
    void typesWithNothingInCommonAreRefusedAndNothingStaysHeld() {
        try (ColumnCollector collector = new ColumnCollector(memory.allocator(), 6, 0)) {
            add(collector, DataType.INT64, List.of(1L));
            assertThatThrownBy(() -> add(collector, DataType.UTF8, List.of("a")))
                    .isInstanceOf(MillraceException.class);
        }
        assertThat(memory.allocator().heldBytes()).isZero();
    }

    @Test
    void numbersWhoseCountIsToldNeedTheMemoryOfTheResultAndOfOneColumn() {
        int each = 1 << 12;
        int parts = 32;
        assertPeak(parts, each * parts, 0, (long) each * parts * Long.BYTES, DataType.INT64, i -> {
            Object[] numbers = new Object[each];
            Arrays.fill(numbers, (long) i);
            return List.of(numbers);
        });
    }

    @Test
    void textsWhoseSizeIsToldNeedTheMemoryOfTheResultAndOfOneColumn() {
        int each = 1 << 8;
        int parts = 32;
        int length = 128;
        long bytes = (long) each * parts * length;
        assertPeak(parts, each * parts, bytes, bytes + ((long) each * parts + 1) * Integer.BYTES, DataType.UTF8, i -> {
            Object[] texts = new Object[each];
            Arrays.fill(texts, Character.toString('a' + i % 26).repeat(length));
            return List.of(texts);
        });
    }

    private interface Part {
        List<?> values(int index);
    }

    /// Collects so many columns with less memory than doubling would take. Sizes are powers of two, as regions are.
    ///
    /// @param result what the result takes
    private void assertPeak(int parts, int values, long bytes, long result, DataType type, Part part) {
        Allocator own = memory.allocator().child("collected");
        try (own;
                ColumnCollector collector = new ColumnCollector(own, values, bytes)) {
            for (int i = 0; i < parts; i++) {
                add(collector, type, part.values(i));
            }
            Column built = collector.build();
            assertThat(built.length()).isEqualTo(values);
            assertThat(own.peakBytes()).isLessThan(result + result / 4);
            built.release();
        }
    }

    private void add(ColumnCollector collector, DataType type, List<?> values) {
        Column column = Columns.of(memory.allocator(), type, values);
        try {
            collector.add(column);
        } finally {
            column.release();
        }
    }
}
