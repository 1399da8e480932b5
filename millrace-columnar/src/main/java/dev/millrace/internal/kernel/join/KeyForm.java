package dev.millrace.internal.kernel.join;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Types;
import org.jspecify.annotations.Nullable;

/// How two key columns are compared: the representation of both in which equal bits are equal keys.
public enum KeyForm {
    /// Never equal: at least one side is of type null.
    NEVER,
    /// Integers and types stored as such, in 64 bits.
    WHOLE,
    /// The same, where one side is uint64 and the other is not: a value that one of them cannot represent matches
    /// nothing.
    SMALL_WHOLE,
    /// Doubles, with one representation of NaN and zero each. An integer that no double represents matches nothing.
    FLOAT,
    /// Decimals of the same scale, in 128 bits.
    DECIMAL,
    /// Text, or bytes.
    BYTES;

    /// The number of 64-bit words of a key. Bytes have one, their hash, and are additionally compared.
    int words() {
        return this == DECIMAL ? 2 : 1;
    }

    /// How columns of these types are compared as they are stored; null if they cannot be.
    public static @Nullable KeyForm of(DataType left, DataType right) {
        DataType a = plain(left);
        DataType b = plain(right);
        if (a instanceof DataType.Null || b instanceof DataType.Null) {
            return NEVER;
        }
        return switch (a) {
            case DataType.Int one
            when b instanceof DataType.Int other -> isWide(one) == isWide(other) ? WHOLE : SMALL_WHOLE;
            case DataType.Int _, DataType.Float _ ->
                isNumber(b) && (a instanceof DataType.Float || b instanceof DataType.Float) ? FLOAT : null;
            case DataType.Decimal one ->
                b instanceof DataType.Decimal other && one.scale() == other.scale() ? DECIMAL : null;
            case DataType.Timestamp one ->
                b instanceof DataType.Timestamp other
                                && one.unit() == other.unit()
                                && (one.zone() == null) == (other.zone() == null)
                        ? WHOLE
                        : null;
            case DataType.Bool _, DataType.Date _, DataType.Time _, DataType.Duration _ -> a.equals(b) ? WHOLE : null;
            case DataType.Utf8 _, DataType.Binary _ -> a.equals(b) ? BYTES : null;
            case DataType.Null _, DataType.Dictionary _, DataType.Nested _ -> null;
        };
    }

    /// The type to which both keys are cast before rows are partitioned; null if they are compared as stored.
    ///
    /// @throws MillraceException culprit USER, naming both, when they can never be equal
    public static @Nullable DataType common(String leftKey, DataType left, String rightKey, DataType right) {
        if (of(left, right) != null) {
            return null;
        }
        DataType common = Types.common(plain(left), plain(right)).orElse(null);
        boolean exact = common instanceof DataType.Decimal
                || common instanceof DataType.Timestamp
                || common instanceof DataType.Time
                || common instanceof DataType.Duration;
        if (!exact) {
            throw incomparable(leftKey, left, rightKey, right);
        }
        return common;
    }

    /// Like [#of], but an error if there is none.
    public static KeyForm require(String leftKey, DataType left, String rightKey, DataType right) {
        KeyForm form = of(left, right);
        if (form == null) {
            throw incomparable(leftKey, left, rightKey, right);
        }
        return form;
    }

    private static MillraceException incomparable(String leftKey, DataType left, String rightKey, DataType right) {
        String which = "join: the key '" + leftKey + "' of the left is " + left + " and '" + rightKey
                + "' of the right is " + right;
        return MillraceException.user(
                plain(left).equals(plain(right))
                        ? which + ", which cannot be a key. Keys are numbers, text, bytes, booleans, dates and times."
                        : which + ", whose values cannot be equal. Cast one of them first.");
    }

    /// The value type of a dictionary.
    static DataType plain(DataType type) {
        return type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
    }

    private static boolean isNumber(DataType type) {
        return type instanceof DataType.Int || type instanceof DataType.Float;
    }

    private static boolean isWide(DataType.Int type) {
        return !type.signed() && type.bits() == 64;
    }
}
