package dev.millrace.internal.text;

import java.math.BigDecimal;
import java.math.MathContext;
import org.jspecify.annotations.Nullable;

/// Formats floating-point numbers with the fewest digits that parse to the same value, in the notation of DuckDB,
/// Python and C++: without an exponent from 0.0001 to below 1e16, otherwise with one, `1.5e-07`.
public final class FloatText {
    private static final int MIN_EXPONENT = -4;
    private static final int MAX_EXPONENT = 16;

    private FloatText() {}

    public static String of(double value) {
        if (!Double.isFinite(value)) {
            return notFinite(value);
        }
        String shortest = Double.toString(value);
        String one = oneDigit(shortest);
        return text(one != null && Double.parseDouble(one) == value ? one : shortest);
    }

    public static String of(float value) {
        if (!Float.isFinite(value)) {
            return notFinite(value);
        }
        String shortest = Float.toString(value);
        String one = oneDigit(shortest);
        return text(one != null && Float.parseFloat(one) == value ? one : shortest);
    }

    /// The number rounded to one digit if it is very small: Java writes at least two, `4.9E-324` for `5e-324`.
    private static @Nullable String oneDigit(String shortest) {
        int exponent = shortest.indexOf("E-");
        return exponent < 0 || shortest.charAt(exponent - 2) != '.'
                ? null
                : new BigDecimal(shortest).round(new MathContext(1)).toString();
    }

    private static String notFinite(double value) {
        return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
    }

    /// @param shortest Java's text of the number, which has the same digits
    private static String text(String shortest) {
        if (shortest.indexOf('E') < 0 && shortest.length() < MAX_EXPONENT) {
            return shortest;
        }
        BigDecimal number = new BigDecimal(shortest).stripTrailingZeros();
        if (number.signum() == 0) {
            return shortest;
        }
        int exponent = number.precision() - number.scale() - 1;
        if (exponent >= MIN_EXPONENT && exponent < MAX_EXPONENT) {
            return number.scale() <= 0 ? number.toPlainString() + ".0" : number.toPlainString();
        }
        String digits = number.unscaledValue().abs().toString();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String power = Math.abs(exponent) < 10 ? "0" + Math.abs(exponent) : "" + Math.abs(exponent);
        return (number.signum() < 0 ? "-" : "") + digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+")
                + power;
    }
}
