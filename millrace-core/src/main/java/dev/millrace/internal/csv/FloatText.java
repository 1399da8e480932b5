package dev.millrace.internal.csv;

import static dev.millrace.internal.csv.IntegerText.digits;
import static dev.millrace.internal.csv.Words.at;
import static dev.millrace.internal.csv.Words.equal;
import static dev.millrace.internal.csv.Words.first;
import static dev.millrace.internal.csv.Words.word;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.internal.text.PowersOfTen;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Floating-point numbers, rounded to the nearest: the same that `Double.parseDouble` gives.
final class FloatText {
    /// The bits of no number.
    static final long NONE = PowersOfTen.NONE;

    private static final long DOTS = Words.repeat('.');
    private static final int MOST_DIGITS = 19;
    /// Powers of ten that a double holds exactly.
    private FloatText() {}

    /// Digits with at most one dot, 16 characters at most: the bits of a double, or [#NONE].
    static long fast(MemorySegment bytes, int from, int to) {
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
        // Sixteen digits without a dot may be more than a double holds.
        if (value < 0 || value >= 1L << 53) {
            return NONE;
        }
        double number = fraction > 0 ? value / PowersOfTen.exact(fraction) : value;
        return Double.doubleToRawLongBits(negative ? -number : number);
    }

    private static long join(long front, long power, long tail) {
        return (front | tail) < 0 ? -1 : front * power + tail;
    }

    /// Where the first dot of `count` bytes is, or `count`.
    private static int dot(long word, int count) {
        return Math.min(count, first(equal(word, DOTS)));
    }

    private static long without(long word, int position) {
        long before = (1L << 8 * position) - 1;
        return word & before | word >>> 8 & ~before;
    }

    /// Any notation of a number, `inf`, `infinity` and `nan` in any case, with spaces around it.
    static long slow(MemorySegment bytes, int from, int to) {
        int start = IntegerText.trimStart(bytes, from, to);
        int end = IntegerText.trimEnd(bytes, start, to);
        if (start == end) {
            return NONE;
        }
        boolean negative = at(bytes, start) == '-';
        int i = start + (negative || at(bytes, start) == '+' ? 1 : 0);
        long mantissa = 0;
        int taken = 0;
        int exponent = 0;
        int seen = 0;
        boolean dotted = false;
        boolean truncated = false;
        for (; i < end; i++) {
            int digit = at(bytes, i) - '0';
            if (digit >= 0 && digit <= 9) {
                seen++;
                if (taken < MOST_DIGITS) {
                    mantissa = mantissa * 10 + digit;
                    taken += mantissa != 0 ? 1 : 0;
                    exponent -= dotted ? 1 : 0;
                } else {
                    truncated |= digit != 0;
                    exponent += dotted ? 0 : 1;
                }
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
            if (given == Integer.MIN_VALUE) {
                return NONE;
            }
            exponent += given;
        }
        long bits = truncated ? NONE : PowersOfTen.toDouble(mantissa, exponent);
        if (bits == NONE) {
            bits = Double.doubleToRawLongBits(Math.abs(Double.parseDouble(ascii(bytes, start, end))));
        }
        return negative ? bits | Long.MIN_VALUE : bits;
    }

    /// What stands behind the digits: an exponent of at most four digits counts as it is, a longer one as many.
    private static int exponent(MemorySegment bytes, int from, int end) {
        int i = from;
        if ((at(bytes, i) | 0x20) != 'e') {
            return Integer.MIN_VALUE;
        }
        i++;
        boolean negative = i < end && at(bytes, i) == '-';
        i += negative || i < end && at(bytes, i) == '+' ? 1 : 0;
        if (i == end) {
            return Integer.MIN_VALUE;
        }
        int value = 0;
        for (; i < end; i++) {
            int digit = at(bytes, i) - '0';
            if (digit < 0 || digit > 9) {
                return Integer.MIN_VALUE;
            }
            value = Math.min(1_000_000, value * 10 + digit);
        }
        return negative ? -value : value;
    }

    private static long named(MemorySegment bytes, int from, int to, boolean negative) {
        if (to - from < 3 || to - from > 8) {
            return NONE;
        }
        return switch (ascii(bytes, from, to).toLowerCase(java.util.Locale.ROOT)) {
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
