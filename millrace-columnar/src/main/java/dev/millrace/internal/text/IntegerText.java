package dev.millrace.internal.text;

import static dev.millrace.internal.text.TextWords.at;
import static dev.millrace.internal.text.TextWords.word;

import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// Parses integers, for every format and for casts: decimal digits with an optional sign, and any other notation of an
/// exact integer (`5.0`, `1e3`).
public final class IntegerText {
    /// Not an integer, or not one that the fast path supports. Also the lowest long, which the fast path does not
    /// support.
    public static final long NONE = Long.MIN_VALUE;

    private static final long ZEROS = TextWords.repeat('0');
    private static final long HIGH_NIBBLES = TextWords.repeat(0xF0);
    private static final long LOW_NIBBLES = TextWords.repeat(0x0F);
    private static final long SIXES = TextWords.repeat(6);
    /// The number of bits of the widest integer.
    private static final int MAX_BITS = 64;

    private IntegerText() {}

    /// The number of 1 to 8 digits at the beginning of a word, or -1 if they are not all digits.
    static long digits(long word, int count) {
        long padded = word << (64 - 8 * count) | ZEROS >>> 1 >>> (8 * count - 1);
        if (!areDigits(padded)) {
            return -1;
        }
        long pairs = pairs(padded);
        pairs = pairs * 100 + (pairs >>> 16) & 0x0000_FFFF_0000_FFFFL;
        return pairs * 10_000 + (pairs >>> 32) & 0xFFFF_FFFFL;
    }

    /// Whether the bytes of a word are all digits.
    static boolean areDigits(long word) {
        return (word & HIGH_NIBBLES | (word + SIXES & HIGH_NIBBLES) >>> 4) == 0x3333_3333_3333_3333L;
    }

    /// The four two-digit numbers in a word of digits, the first in the lowest 16 bits.
    static long pairs(long word) {
        long each = word & LOW_NIBBLES;
        return each * 10 + (each >>> 8) & 0x00FF_00FF_00FF_00FFL;
    }

    /// The fast path for up to 18 digits; otherwise [#NONE].
    public static long fast(MemorySegment bytes, int from, int to) {
        int start = from;
        long word = word(bytes, start);
        boolean negative = (word & 0xFF) == '-';
        if (negative) {
            word = word(bytes, ++start);
        }
        int count = to - start;
        long value;
        if (count <= 8) {
            value = count < 1 ? -1 : digits(word, count);
        } else if (count <= 16) {
            long high = digits(word, count - 8);
            long low = digits(word(bytes, to - 8), 8);
            value = (high | low) < 0 ? -1 : high * 100_000_000 + low;
        } else if (count <= 18) {
            long high = digits(word, count - 16);
            long middle = digits(word(bytes, to - 16), 8);
            long low = digits(word(bytes, to - 8), 8);
            value = (high | middle | low) < 0 ? -1 : (high * 100_000_000 + middle) * 100_000_000 + low;
        } else {
            value = -1;
        }
        return value < 0 ? NONE : negative ? -value : value;
    }

    /// Any number of digits with an optional minus and blanks around them: only such texts make type inference choose
    /// an integer column.
    ///
    /// @param signed false: from 0 to 2^64 - 1
    /// @return false if it is not an integer, or too large
    public static boolean plain(MemorySegment bytes, int from, int to, boolean signed, long[] result) {
        int start = TextWords.trimStart(bytes, from, to);
        int end = TextWords.trimEnd(bytes, start, to);
        boolean negative = signed && start < end && at(bytes, start) == '-';
        start += negative ? 1 : 0;
        if (start == end) {
            return false;
        }
        long value = 0;
        for (int i = start; i < end; i++) {
            int digit = at(bytes, i) - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            if (signed) {
                if (value < (Long.MIN_VALUE + digit) / 10) {
                    return false;
                }
                value = value * 10 - digit;
            } else {
                if (Long.compareUnsigned(value, Long.divideUnsigned(-1L - digit, 10)) > 0) {
                    return false;
                }
                value = value * 10 + digit;
            }
        }
        if (signed && !negative && value == Long.MIN_VALUE) {
            return false;
        }
        result[0] = signed && !negative ? -value : value;
        return true;
    }

    /// True for any number of digits with an optional minus.
    public static boolean isDigits(MemorySegment bytes, int from, int to) {
        int first = from < to && at(bytes, from) == '-' ? from + 1 : from;
        for (int i = first; i < to; i++) {
            if (at(bytes, i) < '0' || at(bytes, i) > '9') {
                return false;
            }
        }
        return first < to;
    }

    /// The exact integer value of a text in any notation, with blanks around it.
    ///
    /// @param signed false: from 0 to 2^64 - 1
    /// @return false if it is not an integer, or too large
    public static boolean slow(MemorySegment bytes, int from, int to, boolean signed, long[] result) {
        if (plain(bytes, from, to, signed, result)) {
            return true;
        }
        BigInteger whole = whole(DecimalText.of(bytes, from, to));
        if (whole == null
                || (signed ? whole.bitLength() >= MAX_BITS : whole.signum() < 0 || whole.bitLength() > MAX_BITS)) {
            return false;
        }
        result[0] = whole.longValue();
        return true;
    }

    /// The exact integer value of a number, or null; null also for values far beyond 64 bits.
    public static @Nullable BigInteger whole(@Nullable BigDecimal number) {
        if (number == null || number.precision() - (long) number.scale() > 20) {
            return null;
        }
        if (number.signum() == 0) {
            return BigInteger.ZERO;
        }
        BigDecimal plain = number.scale() > 0 ? number.stripTrailingZeros() : number;
        return plain.scale() > 0 ? null : plain.toBigInteger();
    }
}
