package dev.millrace.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NumberTextTest {
    private static final long SEED = 20_261_115;

    private final MemorySegment bytes = Arena.ofAuto().allocate(512);
    private final Random random = new Random(SEED);

    /// Something else follows, as in a file.
    private int put(String text) {
        byte[] ascii = (text + "9,9.9").getBytes(StandardCharsets.US_ASCII);
        MemorySegment.copy(ascii, 0, bytes, ValueLayout.JAVA_BYTE, 3, ascii.length);
        return 3 + text.length();
    }

    private long fastFloat(String text) {
        return DoubleText.fast(bytes, 3, put(text));
    }

    private long slowFloat(String text) {
        return DoubleText.slow(bytes, 3, put(text));
    }

    private void isDouble(String text) {
        double nearest = Double.parseDouble(text);
        long expected = Double.isInfinite(nearest) ? DoubleText.NONE : Double.doubleToRawLongBits(nearest);
        assertThat(slowFloat(text)).as(text).isEqualTo(expected);
        assertThat(fastFloat(text)).as(text).isIn(expected, DoubleText.NONE);
    }

    @Test
    void integersOfEveryLength() {
        for (int i = 0; i < 50_000; i++) {
            long value = random.nextLong() >> random.nextInt(64);
            String text = Long.toString(value);
            long fast = IntegerText.fast(bytes, 3, put(text));
            if (Math.abs(value) < 1_000_000_000_000_000_000L && value != Long.MIN_VALUE) {
                assertThat(fast).as(text).isEqualTo(value);
            } else {
                assertThat(fast).as(text).isEqualTo(IntegerText.NONE);
            }
            long[] slow = new long[1];
            assertThat(IntegerText.plain(bytes, 3, put(" " + text + "\t"), true, slow))
                    .isTrue();
            assertThat(slow[0]).isEqualTo(value);
            slow[0] = 0;
            String other = i % 2 == 0 ? text + ".00" : new BigDecimal(value).movePointLeft(3) + "e3";
            assertThat(IntegerText.slow(bytes, 3, put(" " + other + "\t"), true, slow))
                    .as(other)
                    .isTrue();
            assertThat(slow[0]).isEqualTo(value);
        }
    }

    @Test
    void integersThatAreNone() {
        long[] slow = new long[1];
        for (String text : List.of(
                "",
                "-",
                "--1",
                "+1",
                "1-",
                "1 2",
                "1.0",
                "0x10",
                "12345678a",
                "\u00051",
                "9223372036854775808",
                "-9223372036854775809",
                "99999999999999999999",
                "1e3",
                "/",
                ":",
                "1234567:",
                "é".substring(0, 0) + "1\u007f")) {
            assertThat(IntegerText.fast(bytes, 3, put(text))).as(text).isEqualTo(IntegerText.NONE);
            assertThat(IntegerText.plain(bytes, 3, put(text), true, slow))
                    .as(text)
                    .isFalse();
            assertThat(IntegerText.slow(bytes, 3, put(text), true, slow))
                    .as(text)
                    .isEqualTo(List.of("+1", "1.0", "1e3").contains(text));
        }
        for (String text :
                List.of("1.5", "1e-1", "1e400", "1e999999999999", "9223372036854775807.5", "0x1", "1e", "٣")) {
            assertThat(IntegerText.slow(bytes, 3, put(text), true, slow))
                    .as(text)
                    .isFalse();
        }
        assertThat(IntegerText.slow(bytes, 3, put("18446744073709551615"), false, slow))
                .isTrue();
        assertThat(slow[0]).isEqualTo(-1);
        assertThat(IntegerText.slow(bytes, 3, put("18446744073709551616"), false, slow))
                .isFalse();
        assertThat(IntegerText.slow(bytes, 3, put("-1"), false, slow)).isFalse();
    }

    @Test
    void doublesAreTheNearest() {
        for (int i = 0; i < 20_000; i++) {
            isDouble(Double.toString(Math.abs(Double.longBitsToDouble(random.nextLong())) % Double.MAX_VALUE)
                    .replace("NaN", "0"));
            isDouble(Double.toString(random.nextGaussian()));
            isDouble(BigDecimal.valueOf(random.nextLong() >> random.nextInt(64), random.nextInt(20))
                    .toPlainString());
            isDouble(new BigInteger(1 + random.nextInt(110), random) + "e" + (random.nextInt(700) - 360));
            isDouble(random.nextInt(1000) + "." + random.nextInt(100));
        }
        for (String text : List.of(
                "0",
                "-0",
                "0.0",
                "-0.0",
                ".5",
                "5.",
                "1e0",
                "1E+2",
                "1e-400",
                "1e400",
                "4.9e-324",
                "2.4703282292062327e-324",
                "2.4703282292062328e-324",
                "1.7976931348623157e308",
                "1.7976931348623159e308",
                "9007199254740993",
                "9007199254740992.5",
                "0.000000000000000000000000000001",
                "12345678.12345678",
                "1234567.8",
                "1234567890123456",
                "9999999999999999",
                "123456789012345.",
                ".123456789012345",
                "1e99999999999",
                "0e99999999999")) {
            isDouble(text);
        }
    }

    @Test
    void doublesThatAreNone() {
        for (String text : List.of(
                "",
                "-",
                ".",
                "-.",
                "1..2",
                "1.2.3",
                "e5",
                "1e",
                "1e+",
                "1e5x",
                "1 2",
                "abc",
                "1,5",
                "0x1p3",
                "1f",
                "1d",
                "NaNs",
                "--1",
                "1234567.8.",
                "12345678.9012.45")) {
            assertThat(slowFloat(text)).as(text).isEqualTo(DoubleText.NONE);
            assertThat(fastFloat(text)).as(text).isEqualTo(DoubleText.NONE);
        }
        assertThat(Double.longBitsToDouble(slowFloat(" -Infinity "))).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(Double.longBitsToDouble(slowFloat("inf"))).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Double.longBitsToDouble(slowFloat("nan"))).isNaN();
    }
}
