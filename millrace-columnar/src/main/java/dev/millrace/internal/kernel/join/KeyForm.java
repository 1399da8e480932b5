package dev.millrace.internal.kernel.join;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Types;

/// How two columns of keys are compared: what both become so that equal bits are equal keys.
public enum KeyForm {
    /// At least one side is null throughout.
    NEVER,
    /// Whole numbers and what is stored as such, in 64 bits.
    WHOLE,
    /// The same, where one side is uint64 and the other is not: what one of them cannot hold matches nothing.
    SMALL_WHOLE,
    /// Doubles, of which NaN and zero have one form each. A whole number that no double has matches nothing.
    FLOAT,
    /// Of the same scale, in 128 bits.
    DECIMAL,
    /// Text, or bytes.
    BYTES;

    /// The 64-bit words of a key. Bytes have one, their hash, and are compared besides.
    int words() {
        return this == DECIMAL ? 2 : 1;
    }

    /// How columns of these types compare as they are stored; null where they do not.
    public static KeyForm of(DataType left, DataType right) {
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

    /// The type to which both keys are brought before rows are sent to where they meet; null if they compare as they
    /// are.
    ///
    /// @throws MillraceException culprit USER, naming both, when they can never be equal
    public static DataType common(String leftKey, DataType left, String rightKey, DataType right) {
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

    /// Like [#of], and an error where there is none.
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

    /// What a dictionary stands for.
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
