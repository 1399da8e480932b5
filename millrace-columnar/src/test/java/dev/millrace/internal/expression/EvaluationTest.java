package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.*;
import static dev.millrace.type.DataType.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvaluationTest {

    @Test
    void arithmeticKeepsIntegersAndDividesExactly() {
        try (BlockOf t = new BlockOf().with("a", INT64, 7L, -7L, null).with("b", INT32, 2, 2, 2)) {
            assertThat(t.eval(col("a").plus(1))).containsExactly(8L, -6L, null);
            assertThat(t.eval(lit(1).minus(col("a")))).containsExactly(-6L, 8L, null);
            assertThat(t.eval(col("a").times(col("b")))).containsExactly(14L, -14L, null);
            assertThat(t.eval(col("a").dividedBy(col("b")))).containsExactly(3.5, -3.5, null);
            assertThat(t.eval(col("a").intDiv(col("b")))).containsExactly(3L, -3L, null);
            assertThat(t.eval(col("a").mod(col("b")))).containsExactly(1L, -1L, null);
            assertThat(t.eval(col("a").negate())).containsExactly(-7L, 7L, null);
            assertThat(t.eval(col("a").abs())).containsExactly(7L, 7L, null);
            assertThat(t.eval(lit(2).plus(3))).containsExactly(5, 5, 5);
        }
    }

    @Test
    void anOverflowNamesExpressionValuesAndRow() {
        try (BlockOf t = new BlockOf()
                .with("a", INT64, 1L, Long.MAX_VALUE)
                .with("n", INT64, null, 5L)
                .with("s", INT8, (byte) 100, (byte) 1)
                .with("u", UINT64, BigInteger.ONE, new BigInteger("18446744073709551615"))) {
            assertThatThrownBy(() -> t.eval(col("a").plus(1)))
                    .isInstanceOf(MillraceException.class)
                    .hasMessage("a + 1 overflows int64: 9223372036854775807 + 1 is 9223372036854775808, in row 1 of the"
                            + " block. Cast the operands to a wider type first.")
                    .extracting(e -> ((MillraceException) e).culprit())
                    .isEqualTo(Culprit.DATA);
            assertThatThrownBy(() -> t.eval(col("s").times(col("s"))))
                    .hasMessageStartingWith("s * s overflows int8: a result is 10000, in row 0");
            assertThatThrownBy(() -> t.eval(col("u").plus(1))).hasMessageContaining("overflows uint64");
            assertThatThrownBy(() -> t.eval(col("a").negate().minus(2))).hasMessageContaining("overflows int64");
            assertThatThrownBy(() -> t.eval(col("a").times(2))).hasMessageContaining("overflows int64");
        }
    }

    @Test
    void rowsThatDoNotCountNeverFail() {
        try (BlockOf t = new BlockOf().with("a", INT64, Long.MAX_VALUE, 1L).with("b", INT64, 0L, 2L)) {
            Expression guarded =
                    when(col("b").ne(0)).then(lit(10).intDiv(col("b"))).otherwise(-1);
            assertThat(t.eval(guarded)).containsExactly(-1L, 5L);
            assertThat(t.select(col("b").ne(0).and(lit(10L).mod(col("b")).eq(0))))
                    .containsExactly(1);
            assertThat(t.select(col("b").eq(0).or(col("a").plus(col("b")).gt(2))))
                    .containsExactly(0, 1);
            assertThatThrownBy(() -> t.eval(lit(10L).intDiv(col("b"))))
                    .hasMessageStartingWith("10 div b divides 10 by zero in row 0");
        }
    }

    @Test
    void anIntegerDividedByZeroIsAnErrorAndFloatsKeepIeee() {
        try (BlockOf t = new BlockOf()
                .with("a", INT64, 7L, 0L, null)
                .with("b", INT64, 0L, 0L, 0L)
                .with("x", FLOAT64, 7.0, 0.0, null)
                .with("s", INT8, (byte) 2, (byte) 0, (byte) 0)) {
            String advice = " Guard it with when(...), or cast to float64 first, which knows infinity and NaN.";
            assertThatThrownBy(() -> t.eval(col("a").dividedBy(col("b"))))
                    .hasMessage("a / b divides 7 by zero in row 0 of the block." + advice)
                    .extracting(e -> ((MillraceException) e).culprit())
                    .isEqualTo(Culprit.DATA);
            assertThatThrownBy(() -> t.eval(col("a").dividedBy(0)))
                    .hasMessageStartingWith("a / 0 divides 7 by zero in row 0");
            assertThatThrownBy(() -> t.eval(lit(3).dividedBy(col("s"))))
                    .hasMessageStartingWith("3 / s divides 3 by zero in row 1");
            assertThatThrownBy(() -> t.eval(lit(3).dividedBy(lit(0))))
                    .hasMessageStartingWith("3 / 0 divides 3 by zero");
            assertThat(t.eval(when(col("b").ne(0))
                            .then(col("a").dividedBy(col("b")))
                            .otherwise(null)))
                    .containsExactly(null, null, null);
            assertThat(t.eval(col("x").dividedBy(col("b"))))
                    .containsExactly(Double.POSITIVE_INFINITY, Double.NaN, null);
            assertThat(t.eval(col("a").cast(FLOAT64).dividedBy(0)))
                    .containsExactly(Double.POSITIVE_INFINITY, Double.NaN, null);
            assertThat(t.eval(col("a").dividedBy(0.0))).containsExactly(Double.POSITIVE_INFINITY, Double.NaN, null);
        }
    }

    @Test
    void valuesUnderNullsNeverFail() {
        try (Allocator allocator = Allocator.root("test", 1 << 20)) {
            Column full = Columns.ofLongs(allocator, Long.MAX_VALUE, 4);
            Buffer validity = allocator.allocateZeroed(8);
            validity.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
            Buffer data = ((LongColumn) full).dataBuffer();
            Schema schema = Schema.of("a", INT64);
            try (Block block = Block.of(schema, List.of(new LongColumn(INT64, 2, data, validity, 0, 1)), 2)) {
                Column doubled = BoundExpression.bind(col("a").times(2), schema).evaluate(block, allocator);
                assertThat(doubled.value(0)).isNull();
                assertThat(doubled.value(1)).isEqualTo(8L);
                doubled.release();
            }
        }
    }

    @Test
    void logicHasThreeValues() {
        try (BlockOf t = new BlockOf()
                .with("a", BOOL, true, true, true, false, false, false, null, null, null)
                .with("b", BOOL, true, false, null, true, false, null, true, false, null)) {
            assertThat(t.eval(col("a").and(col("b"))))
                    .containsExactly(true, false, null, false, false, false, null, false, null);
            assertThat(t.eval(col("a").or(col("b"))))
                    .containsExactly(true, true, true, true, false, null, true, null, null);
            assertThat(t.eval(col("a").not())).containsExactly(false, false, false, true, true, true, null, null, null);
            assertThat(t.eval(col("a").eqNullSafe(col("b"))))
                    .containsExactly(true, false, false, false, true, false, false, false, true);
            assertThat(t.select(col("a"))).containsExactly(0, 1, 2);
            assertThat(t.select(col("a").and(lit(null)))).isEmpty();
            assertThat(t.eval(col("a").isNull().or(false)))
                    .containsExactly(false, false, false, false, false, false, true, true, true);
        }
    }

    @Test
    void floatsCompareAsIeeeSays() {
        try (BlockOf t = new BlockOf().with("x", FLOAT64, Double.NaN, -0.0, 1.5, null)) {
            assertThat(t.eval(col("x").eq(col("x")))).containsExactly(false, true, true, null);
            assertThat(t.eval(col("x").ne(0.0))).containsExactly(true, false, true, null);
            assertThat(t.eval(col("x").lt(Double.NaN))).containsExactly(false, false, false, null);
            assertThat(t.eval(col("x").ge(0))).containsExactly(false, true, true, null);
            assertThat(t.eval(col("x").isNaN())).containsExactly(true, false, false, null);
            assertThat(t.eval(col("x").isIn(0.0, Double.NaN))).containsExactly(false, true, false, null);
            assertThat(t.eval(least(col("x"), 1.0))).containsExactly(1.0, -0.0, 1.0, 1.0);
        }
    }

    @Test
    void stringsCompareByTheirBytes() {
        try (BlockOf t = new BlockOf().with("s", UTF8, "apple", "apples", "zebra", "é", "", null, "applesauce!")) {
            assertThat(t.select(col("s").eq("apple"))).containsExactly(0);
            assertThat(t.select(col("s").eq("applesauce!"))).containsExactly(6);
            assertThat(t.select(col("s").ne("apple"))).containsExactly(1, 2, 3, 4, 6);
            assertThat(t.select(col("s").gt("zebra"))).containsExactly(3);
            assertThat(t.select(col("s").le("apples"))).containsExactly(0, 1, 4);
            assertThat(t.select(col("s").isIn("é", ""))).containsExactly(3, 4);
            assertThat(t.select(col("s").startsWith("apple"))).containsExactly(0, 1, 6);
            assertThat(t.select(col("s").endsWith("s"))).containsExactly(1);
            assertThat(t.select(col("s").contains("es"))).containsExactly(1, 6);
            assertThat(t.select(col("s").contains(col("s")))).containsExactly(0, 1, 2, 3, 4, 6);
            assertThat(t.eval(col("s").length(), 2, 6)).containsExactly(5, 1, 0, null);
            assertThat(t.eval(col("s").upper(), 1, 6)).containsExactly("APPLES", "ZEBRA", "É", "", null);
            assertThat(t.eval(col("s").upper(), 0, 3)).containsExactly("APPLE", "APPLES", "ZEBRA");
            assertThat(t.eval(col("s").substring(1, 3), 0, 5)).containsExactly("pp", "pp", "eb", "", "");
            assertThat(t.eval(concat(col("s"), "-", col("s")), 3, 6)).containsExactly("é-é", "-", null);
        }
    }

    @Test
    void aColumnReferenceIsShared() {
        try (BlockOf t = new BlockOf().with("x", FLOAT64, 1.0, 2.0)) {
            long before = t.block().heldBytes();
            Column column = BoundExpression.bind(col("x").as("y"), t.schema()).evaluate(t.block(), t.allocator());
            assertThat(t.allocator().heldBytes()).isEqualTo(before);
            column.release();
        }
    }

    @Test
    void castsAreCheckedOrGiveNull() {
        try (BlockOf t = new BlockOf()
                .with("i", INT32, 1, 300, null)
                .with("d", FLOAT64, 1.0, 1.5, Double.NaN)
                .with("s", UTF8, " 12 ", "abc", "1e3")) {
            assertThat(t.eval(col("i").tryCast(INT8))).containsExactly((byte) 1, null, null);
            assertThat(t.eval(col("d").tryCast(INT32))).containsExactly(1, null, null);
            assertThat(t.eval(col("s").tryCast(INT16))).containsExactly((short) 12, null, (short) 1000);
            assertThat(t.eval(col("s").tryCast(FLOAT64))).containsExactly(12.0, null, 1000.0);
            assertThat(t.eval(col("i").cast(UTF8))).containsExactly("1", "300", null);
            assertThat(t.eval(col("i").cast(DataType.decimal(10, 2))))
                    .containsExactly(new BigDecimal("1.00"), new BigDecimal("300.00"), null);
            assertThat(t.eval(col("s").cast(DataType.dictionary(UTF8)))).containsExactly(" 12 ", "abc", "1e3");
            assertThatThrownBy(() -> t.eval(col("i").cast(INT8)))
                    .hasMessage("cast(i as int8): the int32 value 300 does not fit int8, in row 1 of the block."
                            + " Use tryCast for null instead, or correct the values first.");
            assertThatThrownBy(() -> t.eval(col("d").cast(INT64)))
                    .hasMessageContaining("the float64 value 1.5 does not fit int64")
                    .hasMessageContaining("round()");
            assertThatThrownBy(() -> t.eval(col("s").cast(INT32)))
                    .hasMessageContaining("the utf8 value 'abc' does not fit int32");
        }
    }

    @Test
    void choicesTakeTheFirstBranchThatHolds() {
        try (BlockOf t = new BlockOf().with("a", INT32, 1, 2, 3, null).with("s", UTF8, "x", null, "z", null)) {
            Expression size = when(col("a").lt(2))
                    .then("small")
                    .when(col("a").lt(3))
                    .then(col("s"))
                    .otherwise("big");
            assertThat(t.eval(size)).containsExactly("small", null, "big", "big");
            assertThat(t.eval(when(col("a").gt(0)).then(col("a")).otherwise(0.5)))
                    .containsExactly(1.0, 2.0, 3.0, 0.5);
            assertThat(t.eval(when(col("a").gt(5)).then(1).orNull())).containsExactly(null, null, null, null);
            assertThat(t.eval(coalesce(col("a"), 9L))).containsExactly(1L, 2L, 3L, 9L);
            assertThat(t.eval(col("s").ifNull("?"))).containsExactly("x", "?", "z", "?");
        }
    }

    @Test
    void timesAndDurationsAdd() {
        LocalDate day = LocalDate.of(2024, 2, 29);
        LocalDateTime noon = day.atTime(12, 30, 45);
        DataType zoned = DataType.timestamp(TimeUnit.MILLISECOND, "Europe/Berlin");
        try (BlockOf t = new BlockOf()
                .with("d", DATE, day, null)
                .with("t", DataType.timestamp(TimeUnit.SECOND), noon, noon.minusYears(60))
                .with(
                        "z",
                        zoned,
                        noon.atZone(ZoneId.of("Europe/Berlin")),
                        noon.plusMonths(5).atZone(ZoneId.of("UTC")))) {
            assertThat(t.eval(col("d").plus(Duration.ofDays(1))))
                    .containsExactly(day.plusDays(1).atStartOfDay(), null);
            assertThat(t.eval(col("t").minus(Duration.ofHours(13))))
                    .containsExactly(noon.minusHours(13), noon.minusYears(60).minusHours(13));
            assertThat(t.eval(col("t").minus(col("d")))).containsExactly(Duration.ofSeconds(45045), null);
            assertThat(t.eval(col("t").minus(col("d")).times(2))).containsExactly(Duration.ofSeconds(90090), null);
            assertThat(t.eval(col("d").minus(LocalDate.of(2024, 1, 1)))).containsExactly(Duration.ofDays(59), null);
            assertThat(t.eval(col("z").hour())).containsExactly(12, 14);
            assertThat(t.eval(col("t").year())).containsExactly(2024, 1964);
            assertThat(t.eval(col("t").truncate("month")))
                    .containsExactly(LocalDateTime.of(2024, 2, 1, 0, 0), LocalDateTime.of(1964, 2, 1, 0, 0));
            assertThat(t.eval(col("t").truncate("hour")))
                    .containsExactly(LocalDateTime.of(2024, 2, 29, 12, 0), LocalDateTime.of(1964, 2, 29, 12, 0));
            assertThat(t.eval(col("d").plusYears(1))).containsExactly(LocalDate.of(2025, 2, 28), null);
            assertThat(t.eval(col("d").daysUntil(LocalDate.of(2024, 3, 2)))).containsExactly(2, null);
            assertThat(t.eval(col("t").gt(LocalDate.of(2000, 1, 1)))).containsExactly(true, false);
            assertThat(t.eval(col("d").format("dd.MM.yyyy"))).containsExactly("29.02.2024", null);
            assertThat(t.eval(lit("2024-03-01 10:15").parseTimestamp("yyyy-MM-dd HH:mm")))
                    .first()
                    .isEqualTo(LocalDateTime.of(2024, 3, 1, 10, 15));
        }
    }

    @Test
    void listsStructsAndMapsOpenUp() {
        DataType struct = DataType.struct(new Field("x", INT32), new Field("y", UTF8));
        try (BlockOf t = new BlockOf()
                .with("l", DataType.list(INT64), List.of(3L, 1L, 3L), Arrays.asList(2L, null), null)
                .with("s", struct, Map.of("x", 1, "y", "a"), null, Map.of("x", 3, "y", "c"))
                .with("m", DataType.map(UTF8, INT32), Map.of("k", 1), Map.of(), null)) {
            assertThat(t.eval(col("l").size())).containsExactly(3, 2, null);
            assertThat(t.eval(col("l").get(-1))).containsExactly(3L, null, null);
            assertThat(t.eval(col("l").contains(1))).containsExactly(true, false, null);
            assertThat(t.eval(col("l").listSum())).containsExactly(7L, 2L, null);
            assertThat(t.eval(col("l").listMean())).containsExactly(7 / 3.0, 2.0, null);
            assertThat(t.eval(col("l").listSort())).containsExactly(List.of(1L, 3L, 3L), Arrays.asList(2L, null), null);
            assertThat(t.eval(col("l").listDistinct())).containsExactly(List.of(3L, 1L), Arrays.asList(2L, null), null);
            assertThat(t.eval(col("l").slice(1, 9))).containsExactly(List.of(1L, 3L), Arrays.asList((Long) null), null);
            assertThat(t.eval(col("s").field("x"))).containsExactly(1, null, 3);
            assertThat(t.eval(col("m").get("k"))).containsExactly(1, null, null);
            assertThat(t.eval(struct(col("s").field("x"), lit(2).as("two")).field("two")))
                    .containsExactly(2, 2, 2);
            assertThat(t.eval(list(1, 2L, null))).containsOnly(Arrays.asList(1L, 2L, null));
            assertThat(t.eval(lit("a,b").split(",").join("+"))).containsOnly("a+b");
        }
    }

    @Test
    void usersFunctionsRunPerRowOrPerColumn() {
        try (BlockOf t = new BlockOf().with("a", FLOAT64, 1.0, 2.0, null)) {
            assertThat(t.eval(udf("twice", FLOAT64, (Double x) -> x == null ? -1 : 2 * x, col("a"))))
                    .containsExactly(2.0, 4.0, -1.0);
            Expression columns = columnUdf(
                    "shift",
                    FLOAT64,
                    (in, allocator) -> {
                        DoubleColumn a = (DoubleColumn) in.getFirst();
                        return Columns.ofDoubles(allocator, a.get(0) + 1, a.get(1) + 1, 0);
                    },
                    col("a"));
            assertThat(t.eval(columns)).containsExactly(2.0, 3.0, 0.0);
            assertThatThrownBy(() -> t.eval(udf("bad", INT32, (Double x) -> x.intValue(), col("a"))))
                    .hasMessageStartingWith(
                            "The function of bad(a) failed in row 2 of the block: java.lang.NullPointerException")
                    .extracting(e -> ((MillraceException) e).culprit())
                    .isEqualTo(Culprit.USER);
            assertThatThrownBy(() -> t.eval(
                            columnUdf("short", FLOAT64, (in, allocator) -> Columns.ofDoubles(allocator, 1), col("a"))))
                    .hasMessageContaining("returned 1 values of type float64 for 3 rows");
        }
    }

    @Test
    void dictionariesCountAsTheirValues() {
        try (BlockOf t = new BlockOf().with("d", DataType.dictionary(UTF8), "a", "b", "a", null)) {
            assertThat(t.eval(col("d"))).containsExactly("a", "b", "a", null);
            assertThat(t.select(col("d").eq("a"))).containsExactly(0, 2);
            assertThat(t.eval(col("d").upper())).containsExactly("A", "B", "A", null);
            assertThat(t.eval(col("d").ifNull("z"))).containsExactly("a", "b", "a", "z");
        }
    }

    @Test
    void runningOutOfMemoryAnywhereLeavesNothingBehind() {
        Expression expression = when(col("s").upper().eq("A"))
                .then(concat(col("s"), "-", col("s")).length().plus(col("a")))
                .otherwise(col("a").times(2)
                        .cast(FLOAT64)
                        .sqrt()
                        .round(1)
                        .plus(list(col("a"), 1).listSum()));
        try (BlockOf t = new BlockOf().with("a", INT64, 1L, null, 3L, 4L).with("s", UTF8, "a", "b", null, "a")) {
            BoundExpression bound = BoundExpression.bind(expression, t.schema());
            t.block();
            boolean enough = false;
            for (long limit = 64; !enough; limit += 64) {
                try (Allocator small = t.allocator().child("small", limit)) {
                    bound.evaluate(t.block(), small).release();
                    enough = true;
                } catch (MillraceException e) {
                    assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES);
                }
            }
        }
    }

    @Test
    void decimalsCompareByValueWhateverTheirDigits() {
        BigDecimal most = new BigDecimal("9".repeat(36) + ".99");
        try (BlockOf t = new BlockOf()
                .with("a", DataType.decimal(38, 2), new BigDecimal("1.50"), new BigDecimal("-2.00"), most, null, most)
                .with(
                        "b",
                        DataType.decimal(38, 8),
                        new BigDecimal("1.50000000"),
                        new BigDecimal("-1.99999999"),
                        new BigDecimal("9".repeat(30) + ".99999999"),
                        new BigDecimal("1.00000000"),
                        null)
                .with("i", INT64, 1L, -2L, Long.MAX_VALUE, 1L, null)
                .with("c", DataType.decimal(38, 37), BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE, null, null)) {
            assertThat(t.eval(col("a").eq(col("b")))).containsExactly(true, false, false, null, null);
            assertThat(t.eval(col("a").lt(col("b")))).containsExactly(false, true, false, null, null);
            assertThat(t.eval(col("b").lt(col("a")))).containsExactly(false, false, true, null, null);
            assertThat(t.eval(col("b").eqNullSafe(col("a")))).containsExactly(true, false, false, false, false);
            assertThat(t.eval(col("i").eq(col("c")))).containsExactly(true, false, false, null, null);
            assertThat(t.eval(col("a").gt(new BigDecimal("1.49999999"))))
                    .containsExactly(true, false, true, null, true);
        }
    }

    @Test
    void decimalsKeepTheirDigits() {
        DataType money = DataType.decimal(10, 2);
        try (BlockOf t = new BlockOf().with("m", money, new BigDecimal("10.25"), new BigDecimal("-3.50"), null)) {
            assertThat(t.eval(col("m").times(3)))
                    .containsExactly(new BigDecimal("30.75"), new BigDecimal("-10.50"), null);
            assertThat(t.eval(col("m").plus(new BigDecimal("0.005"))))
                    .containsExactly(new BigDecimal("10.255"), new BigDecimal("-3.495"), null);
            assertThat(t.select(col("m").gt(0))).containsExactly(0);
            assertThat(t.eval(col("m").round(1))).containsExactly(new BigDecimal("10.3"), new BigDecimal("-3.5"), null);
            assertThat(t.eval(col("m").dividedBy(4)).getFirst()).isEqualTo(new BigDecimal("2.562500"));
        }
    }
}
