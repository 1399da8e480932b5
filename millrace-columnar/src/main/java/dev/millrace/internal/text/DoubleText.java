package dev.millrace.internal.text;

import static dev.millrace.internal.text.IntegerText.digits;
import static dev.millrace.internal.text.TextWords.at;
import static dev.millrace.internal.text.TextWords.equal;
import static dev.millrace.internal.text.TextWords.first;
import static dev.millrace.internal.text.TextWords.word;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Parses floating-point numbers, for every format and for casts, rounded to the nearest: the results equal those of
/// `Double.parseDouble`, except that a number beyond the range of the type is rejected.
public final class DoubleText {
    /// The bits that represent no number.
    public static final long NONE = PowersOfTen.NONE;

    static final int NO_EXPONENT = Integer.MIN_VALUE;

    private static final long DOTS = TextWords.repeat('.');

    private DoubleText() {}

    /// The fast path for digits with at most one dot, at most 16 characters: the bits of a double, or [#NONE].
    public static long fast(MemorySegment bytes, int from, int to) {
        int start = from;
        long word = word(bytes, start);
        boolean negative = (word & 0xFF) == '-';
        if (negative) {
            word = word(bytes, ++start);
        }
        int count = to - start;
        if (count < 1 || count > 16) {
            return NONE;
        }
        long value;
        int fraction = 0;
        if (count <= 8) {
            int dot = dot(word, count);
            fraction = count - 1 - dot;
            value = dot == count ? digits(word, count) : count == 1 ? -1 : digits(without(word, dot), count - 1);
        } else {
            int front = count - 8;
            long tail = word(bytes, to - 8);
            int dot = dot(tail, 8);
            if (dot < 8) {
                fraction = 7 - dot;
                value = join(digits(word, front), 10_000_000L, digits(without(tail, dot), 7));
            } else {
                dot = dot(word, front);
                fraction = count - 1 - dot;
                value = dot == front
                        ? join(digits(word, front), 100_000_000L, digits(tail, 8))
                        : join(front == 1 ? 0 : digits(without(word, dot), front - 1), 100_000_000L, digits(tail, 8));
                fraction = dot == front ? 0 : fraction;
            }
        }
        // Sixteen digits without a dot may exceed the precision of a double.
        if (value < 0 || value >= 1L << 53) {
            return NONE;
        }
        double number = fraction > 0 ? value / PowersOfTen.exact(fraction) : value;
        return Double.doubleToRawLongBits(negative ? -number : number);
    }

    private static long join(long front, long power, long tail) {
        return (front | tail) < 0 ? -1 : front * power + tail;
    }

    /// The position of the first dot in `count` bytes, or `count`.
    private static int dot(long word, int count) {
        return Math.min(count, first(equal(word, DOTS)));
    }

    private static long without(long word, int position) {
        long before = (1L << 8 * position) - 1;
        return word & before | word >>> 8 & ~before;
    }

    /// The bits of a double in any notation, and of `inf`, `infinity` and `nan` (not case-sensitive, with optional
    /// sign); blanks around it are allowed.
    public static long slow(MemorySegment bytes, int from, int to) {
        int start = TextWords.trimStart(bytes, from, to);
        int end = TextWords.trimEnd(bytes, start, to);
        if (start == end) {
            return NONE;
        }
        boolean negative = at(bytes, start) == '-';
        int i = start + (negative || at(bytes, start) == '+' ? 1 : 0);
        FloatDigits digits = new FloatDigits();
        int seen = 0;
        boolean dotted = false;
        for (; i < end; i++) {
            int digit = at(bytes, i) - '0';
            if (digit >= 0 && digit <= 9) {
                seen++;
                digits.add(digit, dotted);
            } else if (digit == '.' - '0' && !dotted) {
                dotted = true;
            } else {
                break;
            }
        }
        if (seen == 0) {
            return named(bytes, i, end, negative);
        }
        if (i < end) {
            int given = exponent(bytes, i, end);
            if (given == NO_EXPONENT) {
                return NONE;
            }
            digits.scale(given);
        }
        long bits = digits.bits();
        if (bits == NONE) {
            bits = Double.doubleToRawLongBits(Math.abs(Double.parseDouble(ascii(bytes, start, end))));
        }
        if (bits == FloatDigits.INFINITE) {
            return NONE;
        }
        return negative ? bits | Long.MIN_VALUE : bits;
    }

    /// True if the double nearest to a number may not round to the float nearest to that number, because it is halfway
    /// between two floats.
    public static boolean mayRoundTwice(long wide) {
        double number = Math.abs(Double.longBitsToDouble(wide));
        return (wide & 0x1FFF_FFFFL) == 0x1000_0000L || number < 0x1p-125 && number != 0;
    }

    /// The same number as a float, rounded once.
    ///
    /// @param wide the result of [#slow] for it, not [#NONE]
    /// @return null if it is beyond the range of a float
    public static @Nullable Float narrow(MemorySegment bytes, int from, int to, long wide) {
        double number = Double.longBitsToDouble(wide);
        float narrow = (float) number;
        if (mayRoundTwice(wide)) {
            narrow = Float.parseFloat(ascii(bytes, from, to).strip());
        }
        return Float.isInfinite(narrow) && !Double.isInfinite(number) ? null : narrow;
    }

    /// The exponent after the digits, limited to a million in either direction; [#NO_EXPONENT] if it is malformed.
    static int exponent(MemorySegment bytes, int from, int end) {
        int i = from;
        if ((at(bytes, i) | 0x20) != 'e') {
            return NO_EXPONENT;
        }
        i++;
        boolean negative = i < end && at(bytes, i) == '-';
        i += negative || i < end && at(bytes, i) == '+' ? 1 : 0;
        if (i == end) {
            return NO_EXPONENT;
        }
        int value = 0;
        for (; i < end; i++) {
            int digit = at(bytes, i) - '0';
            if (digit < 0 || digit > 9) {
                return NO_EXPONENT;
            }
            value = Math.min(1_000_000, value * 10 + digit);
        }
        return negative ? -value : value;
    }

    private static long named(MemorySegment bytes, int from, int to, boolean negative) {
        if (to - from < 3 || to - from > 8) {
            return NONE;
        }
        return switch (ascii(bytes, from, to).toLowerCase(Locale.ROOT)) {
            case "inf", "infinity" ->
                Double.doubleToRawLongBits(negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
            case "nan" -> Double.doubleToRawLongBits(Double.NaN);
            default -> NONE;
        };
    }

    static String ascii(MemorySegment bytes, int from, int to) {
        byte[] copy = new byte[to - from];
        MemorySegment.copy(bytes, JAVA_BYTE, from, copy, 0, copy.length);
        return new String(copy, StandardCharsets.ISO_8859_1);
    }
}
