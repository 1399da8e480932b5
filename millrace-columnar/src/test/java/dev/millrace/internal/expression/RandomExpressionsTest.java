package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// Random expressions over random blocks, with nulls, slices and every numeric type, against [Naive].
class RandomExpressionsTest {
    private static final List<DataType> NUMBERS = List.of(
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64);

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @Test
    void kernelsAgreeWithTheRowByRowInterpreter() {
        int failed = 0;
        int compared = 0;
        for (int round = 0; round < 60; round++) {
            int rows = random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(200);
            try (BlockOf block = block(rows)) {
                for (int i = 0; i < 40; i++) {
                    int from = random.nextInt(rows + 1);
                    int to = from + random.nextInt(rows - from + 1);
                    Expression expression =
                            random.nextBoolean() ? condition(3) : random.nextBoolean() ? number(3) : text(2);
                    if (!isBound(expression, block)) {
                        continue;
                    }
                    compared++;
                    failed += check(expression, block, from, to) ? 0 : 1;
                }
            }
        }
        System.out.println(
                "random expressions: seed " + seed + ", " + compared + " compared, " + failed + " of them errors");
        assertThat(compared).as("seed %d", seed).isGreaterThan(1000);
        assertThat(failed)
                .as("enough expressions without an overflow, seed %d", seed)
                .isLessThan(compared * 9 / 10);
    }

    private static boolean isBound(Expression expression, BlockOf block) {
        try {
            // A constant part that fails does so here, at the call.
            BoundExpression.bind(expression, block.schema());
            return true;
        } catch (MillraceException e) {
            return false;
        }
    }

    /// False if the expression is an error for one of the rows, on both sides.
    private boolean check(Expression expression, BlockOf block, int from, int to) {
        List<Object> expected = new ArrayList<>();
        boolean fails = false;
        for (int row = from; row < to && !fails; row++) {
            Map<String, Object> values = new HashMap<>();
            for (String name : block.schema().names()) {
                values.put(name, block.block().column(name).value(row));
            }
            try {
                expected.add(new Naive(block.schema(), values).eval(expression));
            } catch (ArithmeticException e) {
                fails = true;
            }
        }
        try {
            List<Object> actual = block.eval(expression, from, to);
            assertThat(fails)
                    .as("%s should have failed, seed %d", expression, seed)
                    .isFalse();
            assertThat(actual)
                    .as("%s, rows %d to %d, seed %d", expression, from, to, seed)
                    .isEqualTo(expected);
            return true;
        } catch (MillraceException e) {
            assertThat(fails).as("%s failed: %s, seed %d", expression, e, seed).isTrue();
            return false;
        }
    }

    private BlockOf block(int rows) {
        BlockOf block = new BlockOf();
        for (DataType type : NUMBERS) {
            block.with(type.toString(), type, values(rows, () -> number(type)));
            block.with(type + "n", type, values(rows, () -> random.nextInt(4) == 0 ? null : number(type)));
        }
        block.with("s", DataType.UTF8, values(rows, this::word));
        block.with("t", DataType.UTF8, values(rows, () -> random.nextInt(4) == 0 ? null : word()));
        block.with("b", DataType.BOOL, values(rows, () -> random.nextInt(4) == 0 ? null : random.nextBoolean()));
        return block;
    }

    private static Object[] values(int rows, Supplier<Object> value) {
        Object[] values = new Object[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = value.get();
        }
        return values;
    }

    private Object number(DataType type) {
        int kind = random.nextInt(200);
        if (type instanceof DataType.Float real) {
            double value = kind == 0
                    ? Double.NaN
                    : kind == 1 ? -0.0 : kind == 2 ? Double.POSITIVE_INFINITY : random.nextInt(-8, 9) / 2.0;
            return real.bits() == 64 ? value : (Object) (float) value;
        }
        DataType.Int integer = (DataType.Int) type;
        BigInteger most = BigInteger.TWO
                .pow(integer.signed() ? integer.bits() - 1 : integer.bits())
                .subtract(BigInteger.ONE);
        return kind == 0 ? most : BigInteger.valueOf(integer.signed() ? random.nextInt(-5, 6) : random.nextInt(11));
    }

    private String word() {
        String[] words = {"", "a", "ab", "abc", "Größe", "ZEBRA", " pad ", "abcdefghij", "abcdefghijk", "日本", "😀x"};
        return words[random.nextInt(words.length)];
    }

    private Expression number(int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return switch (random.nextInt(8)) {
                case 0 -> lit(random.nextInt(-3, 4));
                case 1 -> lit((long) random.nextInt(-3, 4));
                case 2 -> lit(random.nextInt(-3, 4) / 2.0);
                default -> col(NUMBERS.get(random.nextInt(NUMBERS.size())) + (random.nextBoolean() ? "" : "n"));
            };
        }
        Expression a = number(depth - 1);
        return switch (random.nextInt(13)) {
            case 0, 1 -> a.plus(number(depth - 1));
            case 2, 3 -> a.minus(number(depth - 1));
            case 4 -> a.times(number(depth - 1));
            case 5 -> a.dividedBy(number(depth - 1));
            case 6 -> a.intDiv(number(depth - 1));
            case 7 -> a.mod(number(depth - 1));
            case 8 -> a.abs();
            case 9 -> when(condition(depth - 1)).then(a).otherwise(number(depth - 1));
            case 10 -> coalesce(a, number(depth - 1));
            case 11 -> a.tryCast(NUMBERS.get(random.nextInt(NUMBERS.size())));
            default -> text(depth - 1).length();
        };
    }

    private Expression text(int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return random.nextInt(3) == 0 ? lit(word()) : col(random.nextBoolean() ? "s" : "t");
        }
        Expression a = text(depth - 1);
        return switch (random.nextInt(7)) {
            case 0 -> a.lower();
            case 1 -> a.upper();
            case 2 -> a.trim();
            case 3 -> a.concat(text(depth - 1));
            case 4 -> a.substring(random.nextInt(3), random.nextInt(5));
            case 5 -> when(condition(depth - 1)).then(a).otherwise(text(depth - 1));
            default -> coalesce(a, text(depth - 1));
        };
    }

    private Expression condition(int depth) {
        if (depth == 0) {
            return random.nextBoolean() ? col("b") : col("int64n").gt(0);
        }
        return switch (random.nextInt(11)) {
            case 0 -> condition(depth - 1).and(condition(depth - 1));
            case 1 -> condition(depth - 1).or(condition(depth - 1));
            case 2 -> condition(depth - 1).not();
            case 3 -> number(depth - 1).isNull();
            case 4 -> col("int32n").isIn(1, 2L, -3);
            case 5 -> text(depth - 1).startsWith(text(0));
            case 6 -> text(depth - 1).contains(word());
            case 7 -> compared(text(depth - 1), text(depth - 1));
            case 8 -> compared(condition(depth - 1), condition(depth - 1));
            default -> compared(number(depth - 1), number(depth - 1));
        };
    }

    private Expression compared(Expression a, Expression b) {
        return switch (random.nextInt(7)) {
            case 0 -> a.eq(b);
            case 1 -> a.ne(b);
            case 2 -> a.lt(b);
            case 3 -> a.le(b);
            case 4 -> a.gt(b);
            case 5 -> a.ge(b);
            default -> a.eqNullSafe(b);
        };
    }
}
