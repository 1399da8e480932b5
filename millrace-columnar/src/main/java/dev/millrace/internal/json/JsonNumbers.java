package dev.millrace.internal.json;

import static dev.millrace.internal.json.JsonSyntaxException.MORE;
import static dev.millrace.internal.json.JsonSyntaxException.wrong;

import dev.millrace.internal.text.FloatDigits;
import dev.millrace.internal.text.PowersOfTen;
import java.nio.charset.StandardCharsets;

/// Parses a number in one pass: JSON numbers, and `NaN`, `Infinity` and `-Infinity`, which Python writes. One thread.
public final class JsonNumbers {
    /// Whether the last number had neither fraction nor exponent and fits a long.
    public boolean isLong;

    /// Whether the last number that is not a long had neither fraction nor exponent: an integer beyond 64 bits.
    public boolean isInteger;

    public long longValue;

    /// Set by [#read] if the number is not a long, and by [#readDouble].
    public double doubleValue;

    /// Reads a number; returns the position after it.
    public int read(JsonCursor in, int from) {
        byte[] b = in.bytes;
        int at = from;
        boolean negative = b[at] == '-';
        if (negative) {
            at++;
        }
        int start = at;
        long value = 0;
        int digit = b[at] - '0';
        while (digit >= 0 && digit <= 9) {
            value = value * 10 + digit;
            digit = b[++at] - '0';
        }
        int count = at - start;
        if (count == 0 || count > 18 || digit == '.' - '0' || digit == 'e' - '0' || digit == 'E' - '0') {
            return readSlow(in, from, start, at, negative);
        }
        if (count > 1 && b[start] == '0') {
            throw wrong("a number begins with a zero", start);
        }
        if (at >= in.limit) {
            throw MORE;
        }
        isLong = true;
        longValue = negative ? -value : value;
        return at;
    }

    /// Reads a number as a double; returns the position after it.
    public int readDouble(JsonCursor in, int from) {
        byte[] b = in.bytes;
        int at = from;
        boolean negative = b[at] == '-';
        if (negative) {
            at++;
        }
        int start = at;
        long value = 0;
        int digit = b[at] - '0';
        while (digit >= 0 && digit <= 9) {
            value = value * 10 + digit;
            digit = b[++at] - '0';
        }
        int whole = at - start;
        int fraction = 0;
        if (digit == '.' - '0') {
            int point = at++;
            digit = b[at] - '0';
            while (digit >= 0 && digit <= 9) {
                value = value * 10 + digit;
                digit = b[++at] - '0';
            }
            fraction = at - point - 1;
            if (fraction == 0) {
                return readSlow(in, from, start, point, negative);
            }
        }
        // If both operands are exact doubles, only the division rounds.
        if (whole == 0
                || whole + fraction > 18
                || value >= 1L << 53
                || digit == 'e' - '0'
                || digit == 'E' - '0'
                || whole > 1 && b[start] == '0'
                || at >= in.limit) {
            return asDouble(readSlow(in, from, start, start + whole, negative));
        }
        double number = fraction == 0 ? value : value / PowersOfTen.exact(fraction);
        doubleValue = negative ? -number : number;
        return at;
    }

    private int asDouble(int at) {
        if (isLong) {
            doubleValue = longValue;
        }
        return at;
    }

    /// Reads any number whose integer digits are from `start` to `end`.
    private int readSlow(JsonCursor in, int from, int start, int end, boolean negative) {
        byte[] b = in.bytes;
        if (end == start) {
            return named(in, from, start, negative);
        }
        if (end - start > 1 && b[start] == '0') {
            throw wrong("a number begins with a zero", start);
        }
        FloatDigits digits = new FloatDigits();
        boolean dotted = false;
        int at = start;
        for (; ; at++) {
            int digit = b[at] - '0';
            if (digit >= 0 && digit <= 9) {
                digits.add(digit, dotted);
            } else if (b[at] == '.' && !dotted) {
                dotted = true;
                requireDigit(in, at + 1);
            } else {
                break;
            }
        }
        boolean scientific = (b[at] | 0x20) == 'e';
        if (scientific) {
            at++;
            boolean lower = b[at] == '-';
            at += lower || b[at] == '+' ? 1 : 0;
            requireDigit(in, at);
            int given = 0;
            for (; b[at] >= '0' && b[at] <= '9'; at++) {
                given = Math.min(100_000_000, given * 10 + b[at] - '0');
            }
            digits.scale(lower ? -given : given);
        }
        if (at >= in.limit) {
            throw MORE;
        }
        isInteger = !dotted && !scientific;
        isLong = isInteger && digits.isLong(negative);
        if (isLong) {
            longValue = digits.longValue(negative);
            return at;
        }
        long bits = digits.bits();
        double number = bits != PowersOfTen.NONE
                ? Double.longBitsToDouble(bits)
                : Double.parseDouble(new String(b, start, at - start, StandardCharsets.ISO_8859_1));
        if (Double.isInfinite(number)) {
            throw wrong("a number is too large for a double", from);
        }
        doubleValue = negative ? -number : number;
        return at;
    }

    private static void requireDigit(JsonCursor in, int at) {
        if (in.bytes[at] < '0' || in.bytes[at] > '9') {
            throw in.unexpected("a digit should follow", at);
        }
    }

    /// Reads a number that is a word, starting at `at`.
    public int named(JsonCursor in, int from, int at, boolean negative) {
        isLong = false;
        isInteger = false;
        if (matches(in, at, "NaN") && !negative) {
            doubleValue = Double.NaN;
            return at + 3;
        }
        if (matches(in, at, "Infinity")) {
            doubleValue = negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            return at + 8;
        }
        throw in.unknownWord(from);
    }

    private static boolean matches(JsonCursor in, int at, String word) {
        for (int i = 0; i < word.length(); i++) {
            if (at + i >= in.limit) {
                throw MORE;
            }
            if (in.bytes[at + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// The position after a number, which is not validated.
    public static int end(JsonCursor in, int from) {
        byte[] b = in.bytes;
        int at = from;
        int c = b[at];
        while (c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' || (c | 0x20) == 'e') {
            c = b[++at];
        }
        if (at == from || at == from + 1 && b[from] == '-') {
            return new JsonNumbers().named(in, from, at, at > from);
        }
        if (at >= in.limit) {
            throw MORE;
        }
        return at;
    }
}
