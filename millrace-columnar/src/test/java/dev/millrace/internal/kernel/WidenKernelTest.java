package dev.millrace.internal.kernel;

import static dev.millrace.type.DataType.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.RandomValues;
import dev.millrace.column.Tensor;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.TimeUnit;
import dev.millrace.type.Types;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WidenKernelTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    record Case(DataType from, DataType to, List<?> values, List<?> widened) {}

    static List<Case> cases() {
        LocalDate day = LocalDate.of(1969, 12, 30);
        return List.of(
                new Case(DataType.NULL, list(UTF8), Arrays.asList(null, null), Arrays.asList(null, null)),
                new Case(INT32, INT64, Arrays.asList(-1, null, 3), Arrays.asList(-1L, null, 3L)),
                new Case(UINT8, INT16, List.of(255), List.of((short) 255)),
                new Case(UINT32, INT64, List.of(4_000_000_000L), List.of(4_000_000_000L)),
                new Case(UINT64, INT64, Arrays.asList(5, null), Arrays.asList(5L, null)),
                new Case(INT32, FLOAT64, Arrays.asList(1, null), Arrays.asList(1.0, null)),
                new Case(INT64, FLOAT64, List.of(1L << 53), List.of(0x1p53)),
                new Case(UINT64, FLOAT64, List.of(new BigInteger("18446744073709551615")), List.of(0x1p64)),
                new Case(INT16, FLOAT32, List.of((short) -7), List.of(-7f)),
                new Case(FLOAT16, FLOAT32, List.of(0.5f), List.of(0.5f)),
                new Case(FLOAT32, FLOAT64, List.of(0.5f), List.of(0.5)),
                new Case(INT32, decimal(12, 2), List.of(7), List.of(new BigDecimal("7.00"))),
                new Case(
                        decimal(5, 1), decimal(12, 2), List.of(new BigDecimal("7.5")), List.of(new BigDecimal("7.50"))),
                new Case(decimal(5, 1), FLOAT64, List.of(new BigDecimal("7.5")), List.of(7.5)),
                new Case(DATE, timestamp(TimeUnit.MICROSECOND), List.of(day), List.of(day.atStartOfDay())),
                new Case(
                        time(TimeUnit.SECOND),
                        time(TimeUnit.NANOSECOND),
                        List.of(LocalTime.of(1, 2, 3)),
                        List.of(LocalTime.of(1, 2, 3))),
                new Case(
                        timestamp(TimeUnit.SECOND),
                        timestamp(TimeUnit.NANOSECOND),
                        Arrays.asList(null, LocalDateTime.of(2026, 1, 2, 3, 4)),
                        Arrays.asList(null, LocalDateTime.of(2026, 1, 2, 3, 4))),
                new Case(dictionary(UTF8), UTF8, Arrays.asList("b", null, "b"), Arrays.asList("b", null, "b")),
                new Case(
                        fixedList(INT32, 2),
                        list(INT64),
                        Arrays.asList(List.of(1, 2), null),
                        Arrays.asList(List.of(1L, 2L), null)),
                new Case(
                        list(INT8),
                        list(FLOAT64),
                        Arrays.asList(List.of(1), null, List.of()),
                        Arrays.asList(List.of(1.0), null, List.of())),
                new Case(map(UTF8, INT32), map(UTF8, INT64), List.of(Map.of("a", 1)), List.of(Map.of("a", 1L))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void keepsTheValues(Case row) {
        Column column = Columns.of(memory.allocator(), row.from(), row.values());
        Column widened = WidenKernel.to(memory.allocator(), column, row.to());
        assertThat(widened.type()).isEqualTo(row.to());
        assertThat(RandomValues.valuesOf(widened)).isEqualTo(row.widened());
        column.release();
        widened.release();
    }

    @Test
    void structsGetTheFieldsTheyLack() {
        DataType from = struct(new Field("x", INT32));
        DataType to = struct(new Field("y", UTF8), new Field("x", INT64));
        Column column = Columns.of(memory.allocator(), from, Arrays.asList(Map.of("x", 1), null));
        Column widened = WidenKernel.to(memory.allocator(), column.slice(0, 2), to);
        assertThat(widened.value(0).toString()).isEqualTo("{y=null, x=1}");
        assertThat(widened.value(1)).isNull();
        column.release();
        widened.release();
    }

    @Test
    void aFixedShapeBecomesVariableWithoutCopyingItsElements() {
        Tensor one = Tensor.of(new float[] {1, 2}, 1, 2);
        Tensor two = Tensor.of(new float[] {3, 4}, 1, 2);
        Column column = Columns.of(memory.allocator(), one.type(), Arrays.asList(null, one, two));
        VariableTensorColumn widened = (VariableTensorColumn)
                WidenKernel.to(memory.allocator(), column.slice(1, 2), variableTensor(FLOAT32, 2));
        assertThat(RandomValues.valuesOf(widened)).containsExactly(one, two);
        assertThat(widened.shape(1)).containsExactly(1, 2);
        column.release();
        assertThat(widened.value(1)).isEqualTo(two);
        widened.release();
    }

    @Test
    void aValueThatTheCommonTypeCannotHoldIsAnError() {
        Column column = Columns.of(memory.allocator(), UINT64, List.of(new BigInteger("18446744073709551615")));
        assertThatThrownBy(() -> WidenKernel.to(memory.allocator(), column, INT64))
                .hasMessageStartingWith("The value 18446744073709551615 of type uint64 does not fit int64");
        assertThatThrownBy(() -> WidenKernel.to(memory.allocator(), column, UTF8))
                .hasMessageContaining("does not widen to utf8");
        column.release();
    }

    /// Slices, nulls and nesting: list<T>, struct<T> and T widen alike.
    @RepeatedTest(60)
    void widensInsideListsAndStructs(RepetitionInfo repetition) {
        long seed = Seeds.seed() + repetition.getCurrentRepetition();
        Random random = new Random(seed);
        RandomValues values = new RandomValues(random);
        DataType inner = random.nextBoolean() ? INT32 : INT16;
        DataType from = list(struct(new Field("v", inner), new Field("s", UTF8)));
        DataType to = list(struct(new Field("v", FLOAT64), new Field("s", UTF8), new Field("n", BOOL)));
        assertThat(Types.unify(from, to)).isEqualTo(to);
        List<Object> lists = values.values(from, 40, true);
        Column column = values.column(memory.allocator(), from, lists);
        Column widened = WidenKernel.to(memory.allocator(), column, to);
        for (int i = 0; i < lists.size(); i++) {
            String expected = lists.get(i) == null ? "null" : asDoubles((List<?>) lists.get(i));
            assertThat(String.valueOf(widened.value(i))).as("seed " + seed).isEqualTo(expected);
        }
        column.release();
        widened.release();
    }

    private static String asDoubles(List<?> list) {
        return list.stream()
                .map(element -> {
                    Map<?, ?> map = (Map<?, ?>) element;
                    if (map == null) {
                        return "null";
                    }
                    Number number = (Number) map.get("v");
                    return "{v=" + (number == null ? null : number.doubleValue()) + ", s=" + map.get("s") + ", n=null}";
                })
                .toList()
                .toString();
    }
}
