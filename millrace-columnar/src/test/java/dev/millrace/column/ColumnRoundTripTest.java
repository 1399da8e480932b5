package dev.millrace.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.testing.LeakCheck;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every column and builder promises, for every type.
class ColumnRoundTripTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    private final RandomValues random = new RandomValues(new Random(42));

    static List<DataType> types() {
        return RandomValues.types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void valuesComeBackAsTheyWereAppended(DataType type) {
        for (boolean nullable : new boolean[] {false, true}) {
            for (int count : new int[] {1, 7, 64, 1000}) {
                List<Object> values = random.values(type, count, nullable);
                Column column = Columns.of(memory.allocator(), type, values);
                assertThat(column.type()).isEqualTo(type);
                assertThat(RandomValues.valuesOf(column)).isEqualTo(RandomValues.comparable(values));
                assertThat(column.nullCount())
                        .isEqualTo(values.stream().filter(Objects::isNull).count());
                column.release();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void aBuilderThatTakesItsOnlyNullBackHoldsNothingForIt(DataType type) {
        List<Object> values = random.values(type, 10, false);
        try (ColumnBuilder builder = ColumnBuilder.of(memory.allocator(), type, 8)) {
            builder.appendNull();
            builder.truncate(0);
            values.forEach(builder::append);
            Column column = builder.build();
            assertThat(column.length()).isEqualTo(10);
            column.release();
        }
        assertThat(memory.allocator().heldBytes()).isZero();
    }

    @ParameterizedTest
    @MethodSource("types")
    void aBuilderGoesBackToItsFirstValuesAndOnFromThere(DataType type) {
        List<Object> first = random.values(type, 70, true);
        List<Object> forgotten = random.values(type, 30, true);
        List<Object> last = random.values(type, 40, true);
        try (ColumnBuilder builder = ColumnBuilder.of(memory.allocator(), type, 8)) {
            first.forEach(builder::append);
            long bytes = builder.sizeBytes();
            forgotten.forEach(builder::append);
            builder.truncate(first.size());
            if (!(type instanceof DataType.Dictionary)) {
                assertThat(builder.sizeBytes()).isEqualTo(bytes);
            }
            if (!type.equals(DataType.NULL)) {
                // Fits no type; what a nested one has taken of it before it says so goes too.
                assertThatThrownBy(() -> builder.append(new Object())).isInstanceOf(MillraceException.class);
                builder.truncate(first.size());
            }
            last.forEach(builder::append);
            List<Object> all = new ArrayList<>(first);
            all.addAll(last);
            Column column = builder.build();
            assertThat(RandomValues.valuesOf(column)).isEqualTo(RandomValues.comparable(all));
            assertThat(column.nullCount())
                    .isEqualTo(all.stream().filter(Objects::isNull).count());
            column.release();
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void slicesOfSlicesAreThePartsTheyName(DataType type) {
        List<Object> values = random.values(type, 100, true);
        Column column = Columns.of(memory.allocator(), type, values);
        Column slice = column.slice(13, 70).slice(5, 31);
        List<Object> expected = values.subList(18, 49);
        assertThat(RandomValues.valuesOf(slice)).isEqualTo(RandomValues.comparable(expected));
        assertThat(slice.nullCount())
                .isEqualTo(expected.stream().filter(Objects::isNull).count());
        assertThat(column.slice(100, 0).length()).isZero();
        column.release();
    }

    @ParameterizedTest
    @MethodSource("types")
    void aSliceIsAsLargeAsAColumnOfItsValues(DataType type) {
        List<Object> values = random.values(type, 100, true);
        Column column = Columns.of(memory.allocator(), type, values);
        Column copy = Columns.of(memory.allocator(), type, values.subList(30, 90));
        if (!(type instanceof DataType.Dictionary)) {
            assertThat(column.slice(30, 60).sizeBytes()).isEqualTo(copy.sizeBytes());
        }
        column.release();
        copy.release();
    }

    @ParameterizedTest
    @MethodSource("types")
    void aBuilderKnowsTheSizeOfItsColumn(DataType type) {
        try (ColumnBuilder builder = ColumnBuilder.of(memory.allocator(), type, 3)) {
            random.values(type, 50, true).forEach(builder::append);
            long size = builder.sizeBytes();
            Column column = builder.build();
            assertThat(column.sizeBytes()).isEqualTo(size);
            assertThat(column.length()).isEqualTo(50);
            column.release();
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void anAbandonedBuilderGivesItsMemoryBack(DataType type) {
        try (ColumnBuilder builder = ColumnBuilder.of(memory.allocator(), type, 0)) {
            random.values(type, 500, true).forEach(builder::append);
        }
        assertThat(memory.allocator().heldBytes()).isZero();
    }

    @ParameterizedTest
    @MethodSource("types")
    void anEmptyColumnTakesNoMemory(DataType type) {
        Column column = Columns.empty(type);
        assertThat(column.length()).isZero();
        assertThat(column.sizeBytes()).isZero();
        assertThat(column.slice(0, 0).sizeBytes()).isZero();
        column.release();
    }

    @ParameterizedTest
    @MethodSource("types")
    void allNullsAreNull(DataType type) {
        Column column = Columns.nulls(memory.allocator(), type, 20);
        assertThat(column.nullCount()).isEqualTo(20);
        assertThat(column.hasNulls()).isTrue();
        assertThat(column.value(19)).isNull();
        column.release();
    }

    @ParameterizedTest
    @MethodSource("types")
    void retainAndReleaseCoverEveryBuffer(DataType type) {
        Column column = Columns.of(memory.allocator(), type, random.values(type, 30, true));
        Column kept = column.slice(3, 20).retain();
        column.release();
        assertThat(RandomValues.valuesOf(kept)).hasSize(20);
        kept.release();
    }
}
