package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Arithmetic on decimals and casts to and from them, against Java's big numbers: values of few and of very many
/// digits, in stretches that are computed in longs and in those that are not.
class DecimalKernelsTest {
    private static final int ROWS = DecimalOperand.CHUNK + 300;

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @Test
    void arithmeticIsThatOfBigNumbers() {
        for (int round = 0; round < 60; round++) {
            DataType.Decimal left = type();
            DataType.Decimal right = type();
            Object[] a = values(left);
            Object[] b = values(right);
            try (BlockOf block = new BlockOf().with("a", left, a).with("b", right, b)) {
                compare(block, a, b, "+", col("a").plus(col("b")), BigDecimal::add);
                compare(block, a, b, "-", col("a").minus(col("b")), BigDecimal::subtract);
                compare(block, a, b, "*", col("a").times(col("b")), BigDecimal::multiply);
                compare(block, a, b, "/", col("a").dividedBy(col("b")), null);
                compare(block, a, b, "//", col("a").intDiv(col("b")), BigDecimal::divideToIntegralValue);
                compare(block, a, b, "%", col("a").mod(col("b")), BigDecimal::remainder);
            }
        }
    }

    private interface Operation {
        BigDecimal apply(BigDecimal x, BigDecimal y);
    }

    /// @param operation null: division, rounded to the scale of the result
    private void compare(
            BlockOf block, Object[] a, Object[] b, String what, Expression expression, @Nullable Operation operation) {
        DataType.Decimal type = (DataType.Decimal)
                BoundExpression.bind(expression, block.schema()).type();
        List<@Nullable Object> expected = new ArrayList<>();
        boolean fails = false;
        for (int row = 0; row < ROWS && !fails; row++) {
            BigDecimal x = (BigDecimal) a[row];
            BigDecimal y = (BigDecimal) b[row];
            if (x == null || y == null) {
                expected.add(null);
                continue;
            }
            boolean divides = what.equals("/") || what.equals("//") || what.equals("%");
            if (divides && y.signum() == 0) {
                fails = true;
                continue;
            }
            BigDecimal exact =
                    operation == null ? x.divide(y, type.scale(), RoundingMode.HALF_UP) : operation.apply(x, y);
            BigDecimal rounded = exact.setScale(type.scale(), RoundingMode.HALF_UP);
            fails = rounded.precision() > type.precision();
            expected.add(rounded);
        }
        String name = what + " of " + block.schema() + ", seed " + seed;
        if (fails) {
            assertThatThrownBy(() -> block.eval(expression)).as(name).isInstanceOf(MillraceException.class);
        } else {
            assertThat(block.eval(expression)).as(name).isEqualTo(expected);
        }
    }

    @Test
    void castsAreThoseOfSingleValues() throws Exception {
        List<DataType> others = List.of(
                DataType.INT64,
                DataType.INT32,
                DataType.UINT64,
                DataType.UINT8,
                DataType.FLOAT64,
                DataType.FLOAT32,
                DataType.FLOAT16,
                DataType.decimal(5, 2),
                DataType.decimal(18, 0),
                DataType.decimal(38, 20));
        CastValues casts = new CastValues();
        for (int round = 0; round < 25; round++) {
            DataType.Decimal from = type();
            Object[] decimals = values(from);
            Object[] doubles = new Object[ROWS];
            Object[] longs = new Object[ROWS];
            for (int row = 0; row < ROWS; row++) {
                doubles[row] = random.nextInt(10) == 0 ? null : number();
                longs[row] = random.nextInt(10) == 0 ? null : random.nextLong() >> random.nextInt(64);
            }
            try (BlockOf block = new BlockOf()
                    .with("m", from, decimals)
                    .with("x", DataType.FLOAT64, doubles)
                    .with("n", DataType.INT64, longs)) {
                for (DataType to : others) {
                    check(block, "m", casts, decimals, from, to);
                }
                for (DataType to : List.of(from, DataType.decimal(5, 2), DataType.decimal(38, 20))) {
                    check(block, "x", casts, doubles, DataType.FLOAT64, to);
                    check(block, "n", casts, longs, DataType.INT64, to);
                }
            }
        }
    }

    private void check(BlockOf block, String column, CastValues casts, Object[] values, DataType from, DataType to) {
        List<@Nullable Object> expected = new ArrayList<>();
        for (Object value : values) {
            try {
                expected.add(casts.cast(value, from, to));
            } catch (CastValues.Refused e) {
                expected.add(null);
            }
        }
        assertThat(block.eval(col(column).tryCast(to)))
                .as("%s to %s, seed %d", from, to, seed)
                .isEqualTo(expected);
    }

    /// Doubles with few digits, halves of the last digit among them, and any others.
    private double number() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(-100_000, 100_000) / 1000.0;
            case 1 -> random.nextInt(-1000, 1000) + 0.005 * random.nextInt(3);
            case 2 -> random.nextGaussian() * Math.pow(10, random.nextInt(-5, 20));
            default ->
                List.of(Double.NaN, Double.POSITIVE_INFINITY, -0.0, Double.MIN_VALUE, 1e300)
                        .get(random.nextInt(5));
        };
    }

    private DataType.Decimal type() {
        int precision = random.nextBoolean() ? 1 + random.nextInt(18) : 1 + random.nextInt(38);
        return DataType.decimal(precision, random.nextInt(Math.min(precision, 12) + 1));
    }

    /// With nulls, and in some of the columns with values of all digits of the type.
    private @Nullable Object[] values(DataType.Decimal type) {
        int digits = random.nextInt(3) == 0 ? type.precision() : 1 + random.nextInt(Math.min(9, type.precision()));
        BigInteger limit = BigInteger.TEN.pow(digits);
        boolean zeros = random.nextInt(3) == 0;
        @Nullable Object[] values = new @Nullable Object[ROWS];
        for (int row = 0; row < ROWS; row++) {
            if (random.nextInt(8) == 0) {
                continue;
            }
            BigInteger unscaled = random.nextInt(20) == 0
                    ? limit.subtract(BigInteger.ONE)
                    : new BigInteger(limit.bitLength() + 8, random).mod(limit);
            if (unscaled.signum() == 0 && !zeros) {
                unscaled = BigInteger.ONE;
            }
            values[row] = new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), type.scale());
        }
        return values;
    }

    @Test
    void anErrorNamesItsRowBehindAStretchWithoutOne() {
        DataType type = DataType.decimal(38, 0);
        Object[] values = new Object[ROWS];
        java.util.Arrays.fill(values, BigDecimal.TEN);
        values[ROWS - 1] = new BigDecimal("9".repeat(38));
        try (BlockOf block = new BlockOf().with("a", type, values)) {
            assertThatThrownBy(() -> block.eval(col("a").times(col("a"))))
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("in row " + (ROWS - 1) + " of the block");
        }
    }
}
