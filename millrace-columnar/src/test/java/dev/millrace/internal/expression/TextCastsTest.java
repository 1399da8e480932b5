package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.type.DataType.UTF8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Casts of columns from text and to text, which work on bytes, against casts of single values.
class TextCastsTest {
    private static final int ROWS = 400;
    private static final List<String> ODD = List.of(
            "",
            " ",
            "-",
            "+1",
            " 12 ",
            "1e3",
            "1.50",
            ".5",
            "5.",
            "-0",
            "00012",
            "9223372036854775807",
            "-9223372036854775808",
            "9223372036854775808",
            "18446744073709551615",
            "255",
            "256",
            "-129",
            "nan",
            "inf",
            "1.7976931348623157e308",
            "1e400",
            "0.1234567890123456789",
            "16777217",
            "é",
            "12é",
            "1_000",
            "0x10",
            "2020-02-30",
            "2020-02-29",
            "10000-01-01",
            "-0001-12-31",
            "2020-01-01T10:11:12.123456789",
            "2020-01-01 10:11:12",
            "24:00:00",
            "10:11:12",
            "10:11",
            "2020-01-01T10:11:12Z",
            "true",
            "1.005");

    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @Test
    void textBecomesWhatSingleTextsBecome() {
        List<DataType> types = new ArrayList<>(List.of(
                DataType.INT64,
                DataType.INT32,
                DataType.INT8,
                DataType.UINT64,
                DataType.UINT32,
                DataType.UINT16,
                DataType.FLOAT64,
                DataType.FLOAT32,
                DataType.FLOAT16,
                DataType.BOOL,
                DataType.decimal(5, 2),
                DataType.decimal(18, 6),
                DataType.decimal(38, 20),
                DataType.DATE,
                DataType.timestamp(TimeUnit.NANOSECOND, "Europe/Berlin")));
        for (TimeUnit unit : TimeUnit.values()) {
            types.add(DataType.timestamp(unit));
            types.add(DataType.time(unit));
        }
        for (int round = 0; round < 8; round++) {
            @Nullable Object[] texts = texts();
            try (BlockOf block = new BlockOf().with("c", UTF8, texts)) {
                types.forEach(type -> check(block, texts, UTF8, type));
            }
        }
    }

    private @Nullable Object[] texts() {
        @Nullable Object[] texts = new @Nullable Object[ROWS];
        for (int row = 0; row < ROWS; row++) {
            texts[row] = switch (random.nextInt(8)) {
                case 0 -> null;
                case 1 -> ODD.get(random.nextInt(ODD.size()));
                case 2 -> Long.toString(random.nextLong() >> random.nextInt(64));
                case 3 ->
                    BigDecimal.valueOf(random.nextLong() >> random.nextInt(64), random.nextInt(12))
                            .toPlainString();
                case 4 -> Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(-5, 20)));
                case 5 -> day().toString();
                case 6 ->
                    day().atTime(LocalTime.ofSecondOfDay(random.nextInt(86_400)))
                            .toString();
                default ->
                    LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000_000L)).toString();
            };
        }
        return texts;
    }

    private LocalDate day() {
        return LocalDate.ofEpochDay(random.nextInt(-20_000, 40_000) * (random.nextInt(20) == 0 ? 100L : 1));
    }

    @Test
    void valuesBecomeTheTextsOfSingleValues() {
        Object[] longs = new Object[ROWS];
        Object[] ints = new Object[ROWS];
        Object[] big = new Object[ROWS];
        Object[] bytes = new Object[ROWS];
        Object[] decimals = new Object[ROWS];
        Object[] wide = new Object[ROWS];
        Object[] days = new Object[ROWS];
        Object[] times = new Object[ROWS];
        Object[] stamps = new Object[ROWS];
        for (int row = 0; row < ROWS; row++) {
            if (random.nextInt(8) == 0) {
                continue;
            }
            longs[row] = row == 1 ? Long.MIN_VALUE : random.nextLong() >> random.nextInt(64);
            ints[row] = random.nextInt() >>> random.nextInt(32) & 0xFFFF_FFFFL;
            big[row] = new BigInteger(1 + random.nextInt(64), random);
            bytes[row] = (byte) random.nextInt();
            decimals[row] = BigDecimal.valueOf(random.nextInt() >> random.nextInt(32), 4);
            wide[row] = new BigDecimal(new BigInteger(1 + random.nextInt(120), random).negate(), 30);
            days[row] = row == 2 ? LocalDate.of(-5, 1, 1) : row == 3 ? LocalDate.of(12_345, 1, 1) : day();
            times[row] = LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000L) * 1000);
            stamps[row] = LocalDateTime.ofEpochSecond(
                    random.nextLong(-70_000_000_000L, 300_000_000_000L),
                    random.nextInt(1000) * 1_000_000,
                    ZoneOffset.UTC);
        }
        check(longs, DataType.INT64);
        check(ints, DataType.UINT32);
        check(big, DataType.UINT64);
        check(bytes, DataType.INT8);
        check(decimals, DataType.decimal(14, 4));
        check(wide, DataType.decimal(38, 30));
        check(days, DataType.DATE);
        check(times, DataType.time(TimeUnit.MICROSECOND));
        check(stamps, DataType.timestamp(TimeUnit.MILLISECOND));
        check(new Object[] {true, null, false}, DataType.BOOL);
    }

    private void check(@Nullable Object[] values, DataType from) {
        try (BlockOf block = new BlockOf().with("c", from, values)) {
            check(block, values, from, UTF8);
        }
    }

    private void check(BlockOf block, @Nullable Object[] values, DataType from, DataType to) {
        CastValues casts = new CastValues();
        List<@Nullable Object> expected = new ArrayList<>();
        boolean fails = false;
        for (Object value : values) {
            try {
                expected.add(casts.cast(value, from, to));
            } catch (CastValues.Refused e) {
                expected.add(null);
                fails = true;
            }
        }
        String name = from + " to " + to + ", seed " + seed;
        assertThat(block.eval(col("c").tryCast(to))).as(name).isEqualTo(expected);
        if (fails) {
            int row = 0;
            while (values[row] == null || expected.get(row) != null) {
                row++;
            }
            assertThatThrownBy(() -> block.eval(col("c").cast(to)))
                    .as(name)
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("in row " + row + " of the block");
        } else {
            assertThat(block.eval(col("c").cast(to))).as(name).isEqualTo(expected);
        }
    }
}
