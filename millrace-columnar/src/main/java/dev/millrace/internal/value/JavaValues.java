package dev.millrace.internal.value;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/// Converts between Java values and stored values: the only place that defines which Java value fits which type. The
/// `to` methods accept any class whose value fits (a Long of 5 fits int8) and reject others with an error that names
/// value and type; the `of` methods return the classes that [Column#value] lists.
public final class JavaValues {
    private static final BigInteger TWO_64 = BigInteger.ONE.shiftLeft(64);
    private static final BigInteger MASK_64 = TWO_64.subtract(BigInteger.ONE);

    private JavaValues() {}

    /// The Java value of a stored value of the type.
    public static Object ofByte(DataType type, byte stored) {
        return isUnsigned(type) ? (Object) (short) Byte.toUnsignedInt(stored) : (Object) stored;
    }

    /// The Java value of a stored value of the type.
    public static Object ofShort(DataType type, short stored) {
        return isUnsigned(type) ? (Object) Short.toUnsignedInt(stored) : (Object) stored;
    }

    /// The Java value of a stored value of the type.
    public static Object ofInt(DataType type, int stored) {
        return switch (type) {
            case DataType.Date _, DataType.Time _ -> JavaTimes.of(type, stored);
            // Integers.
            default -> isUnsigned(type) ? (Object) Integer.toUnsignedLong(stored) : (Object) stored;
        };
    }

    /// The Java value of a stored value of the type.
    public static Object ofLong(DataType type, long stored) {
        return switch (type) {
            case DataType.Time _, DataType.Timestamp _, DataType.Duration _ -> JavaTimes.of(type, stored);
            // Integers.
            default -> isUnsigned(type) ? (Object) unsigned(stored) : (Object) stored;
        };
    }

    /// The stored form of a value; one of another kind, or out of range, is an error.
    public static byte toByte(DataType type, Object value) {
        return (byte) integer((DataType.Int) type, value);
    }

    /// The stored form of a value; one of another kind, or out of range, is an error.
    public static short toShort(DataType type, Object value) {
        return (short) integer((DataType.Int) type, value);
    }

    /// The stored form of a value; one of another kind, or out of range, is an error.
    public static int toInt(DataType type, Object value) {
        return type instanceof DataType.Int integer ? (int) integer(integer, value) : (int) JavaTimes.to(type, value);
    }

    /// The stored form of a value; one of another kind, or out of range, is an error.
    public static long toLong(DataType type, Object value) {
        if (value instanceof Long exact && type.equals(DataType.INT64)) {
            return exact;
        }
        return type instanceof DataType.Int integer ? integer(integer, value) : JavaTimes.to(type, value);
    }

    /// The nearest float, if a wider number is given.
    public static float toFloat(DataType type, Object value) {
        return value instanceof Float exact ? exact : (float) toDouble(type, value);
    }

    /// The nearest double, if a wider number is given.
    public static double toDouble(DataType type, Object value) {
        return switch (value) {
            case Double exact -> exact;
            case Number number -> number.doubleValue();
            default -> throw misfit(type, value, "a number");
        };
    }

    /// The value as a boolean; one of another kind is an error.
    public static boolean toBoolean(DataType type, Object value) {
        if (value instanceof Boolean bool) {
            return bool;
        }
        throw misfit(type, value, "a Boolean");
    }

    /// The value as text; one of another kind is an error.
    public static String toText(DataType type, Object value) {
        return switch (value) {
            case String text -> text;
            case CharSequence text -> text.toString();
            case Character character -> character.toString();
            case Enum<?> constant -> constant.name();
            default -> throw misfit(type, value, "a String");
        };
    }

    /// The unscaled value at the type's scale. A value with more fractional digits than the scale is rejected rather
    /// than rounded.
    public static BigInteger toUnscaled(DataType.Decimal type, Object value) {
        BigDecimal decimal = switch (value) {
            case BigDecimal exact -> exact;
            case BigInteger integer -> new BigDecimal(integer);
            case Long _, Integer _, Short _, Byte _ -> BigDecimal.valueOf(((Number) value).longValue());
            case Double _, Float _ -> new BigDecimal(value.toString());
            default -> throw misfit(type, value, "a BigDecimal");
        };
        BigDecimal scaled;
        try {
            scaled = decimal.setScale(type.scale(), RoundingMode.UNNECESSARY);
        } catch (ArithmeticException e) {
            throw misfit(type, value, "a number of at most " + type.scale() + " digits after the point");
        }
        if (scaled.precision() > type.precision()) {
            throw misfit(type, value, "a number of at most " + type.precision() + " digits");
        }
        return scaled.unscaledValue();
    }

    /// The error for a value that does not fit its type.
    public static MillraceException misfit(DataType type, Object value, String wanted) {
        String shown = String.valueOf(value);
        if (shown.length() > 80) {
            shown = shown.substring(0, 80) + "...";
        }
        return MillraceException.user("The value " + (value instanceof CharSequence ? "'" + shown + "'" : shown) + " ("
                + value.getClass().getSimpleName() + ") does not fit a column of type " + type + ", which takes "
                + wanted
                + ".");
    }

    static boolean isUnsigned(DataType type) {
        return type instanceof DataType.Int integer && !integer.signed();
    }

    private static BigInteger unsigned(long stored) {
        BigInteger signed = BigInteger.valueOf(stored);
        return stored < 0 ? signed.add(TWO_64) : signed;
    }

    /// The bits of an integer of any Java class, after checking that it fits `type`.
    private static long integer(DataType.Int type, Object value) {
        long exact = switch (value) {
            case Long l -> l;
            case Integer i -> i;
            case Short s -> s;
            case Byte b -> b;
            case BigInteger big -> fromBig(type, big, value);
            case BigDecimal decimal -> fromBig(type, wholeOf(type, decimal, value), value);
            case Double d when Double.isFinite(d) -> fromBig(type, wholeOf(type, new BigDecimal(d), value), value);
            case Float f when Float.isFinite(f) -> fromBig(type, wholeOf(type, new BigDecimal(f), value), value);
            default -> throw misfit(type, value, "an integer");
        };
        boolean large = value instanceof BigInteger
                || value instanceof BigDecimal
                || value instanceof Double
                || value instanceof Float;
        if (!large && (exact < minimum(type) || type.bits() < 64 && exact > maximum(type))) {
            throw outOfRange(type, value);
        }
        return exact;
    }

    private static BigInteger wholeOf(DataType.Int type, BigDecimal decimal, Object value) {
        try {
            return decimal.toBigIntegerExact();
        } catch (ArithmeticException e) {
            throw misfit(type, value, "an integer");
        }
    }

    private static long fromBig(DataType.Int type, BigInteger big, Object value) {
        BigInteger largest = type.bits() == 64 && !type.signed() ? MASK_64 : BigInteger.valueOf(maximum(type));
        if (big.compareTo(BigInteger.valueOf(minimum(type))) < 0 || big.compareTo(largest) > 0) {
            throw outOfRange(type, value);
        }
        return big.longValue();
    }

    private static long minimum(DataType.Int type) {
        return type.signed() ? -1L << (type.bits() - 1) : 0;
    }

    /// The largest long for uint64: a Java long cannot be larger.
    private static long maximum(DataType.Int type) {
        return type.bits() == 64 ? Long.MAX_VALUE : (1L << (type.signed() ? type.bits() - 1 : type.bits())) - 1;
    }

    private static MillraceException outOfRange(DataType.Int type, Object value) {
        return misfit(
                type, value, minimum(type) + " to " + (type.bits() == 64 && !type.signed() ? MASK_64 : maximum(type)));
    }
}
