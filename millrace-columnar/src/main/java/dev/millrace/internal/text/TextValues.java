package dev.millrace.internal.text;

import dev.millrace.internal.value.JavaValues;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Parses texts to the Java values that [dev.millrace.column.Column#value] returns, ignoring blanks around them, with
/// the grammars of [IntegerText], [DoubleText], [DecimalText] and [TimeText]. One thread.
public final class TextValues {
    private final TextScratch scratch = new TextScratch();
    private @Nullable String zone;
    private @Nullable ZoneClock clock;

    /// The value of a number, boolean, date or time of this type; null if the text is not one.
    ///
    /// A decimal has the scale of the text.
    public @Nullable Object value(String text, DataType type) {
        int length = scratch.put(text);
        MemorySegment bytes = scratch.bytes();
        int from = TextWords.trimStart(bytes, 0, length);
        int to = TextWords.trimEnd(bytes, from, length);
        if (from == to) {
            return null;
        }
        return switch (type) {
            case DataType.Bool _ -> bool(text.substring(from, to));
            case DataType.Int integer -> integer(bytes, from, to, integer);
            case DataType.Float real -> real(bytes, from, to, real);
            case DataType.Decimal _ -> DecimalText.of(bytes, from, to);
            case DataType.Date _ -> {
                int day = TimeText.date(bytes, from, to);
                yield day == TimeText.NO_DATE ? null : JavaValues.ofInt(type, day);
            }
            case DataType.Time time -> time(time, TimeText.timeOfDay(bytes, from, to, time.unit()));
            case DataType.Timestamp stamp -> {
                long units = TimeText.timestamp(bytes, from, to, stamp.unit(), clock(stamp));
                yield units == TimeText.NO_TIME ? null : JavaValues.ofLong(type, units);
            }
            case DataType.Null _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> throw new IllegalArgumentException("texts are no values of " + type);
        };
    }

    /// Explains, as a clause, why a text is not a value of a type, if there is more to say than that it is not.
    ///
    /// @return "" if there is no further explanation
    public String problem(String text, DataType type) {
        int length = scratch.put(text);
        int from = TextWords.trimStart(scratch.bytes(), 0, length);
        int to = TextWords.trimEnd(scratch.bytes(), from, length);
        return problem(scratch.bytes(), from, to, type);
    }

    /// The same for a text without blanks around it.
    public static String problem(MemorySegment bytes, int from, int to, DataType type) {
        return type instanceof DataType.Timestamp(var unit, String none)
                        && none == null
                        && TimeText.hasOffset(bytes, from, to)
                        && TimeText.timestamp(bytes, from, to, unit, ZoneClock.UTC) != TimeText.NO_TIME
                ? " (it has an offset from UTC, which a timestamp without zone does not take: timestamp["
                        + unit.symbol() + ", UTC] does)"
                : "";
    }

    /// The boolean texts of DuckDB and Postgres.
    private static @Nullable Boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "t", "1" -> true;
            case "false", "f", "0" -> false;
            default -> null;
        };
    }

    private static @Nullable Object integer(MemorySegment bytes, int from, int to, DataType.Int type) {
        BigInteger whole = IntegerText.whole(DecimalText.of(bytes, from, to));
        if (whole == null
                || (type.signed()
                        ? whole.bitLength() >= type.bits()
                        : whole.signum() < 0 || whole.bitLength() > type.bits())) {
            return null;
        }
        return switch (type.bits()) {
            case 8 -> JavaValues.ofByte(type, whole.byteValue());
            case 16 -> JavaValues.ofShort(type, whole.shortValue());
            case 32 -> JavaValues.ofInt(type, whole.intValue());
            default -> JavaValues.ofLong(type, whole.longValue());
        };
    }

    private static @Nullable Object real(MemorySegment bytes, int from, int to, DataType.Float type) {
        long bits = DoubleText.slow(bytes, from, to);
        if (bits == DoubleText.NONE) {
            return null;
        }
        return type.bits() == 64 ? (Object) Double.longBitsToDouble(bits) : narrow(bytes, from, to, bits, type);
    }

    private static @Nullable Float narrow(MemorySegment bytes, int from, int to, long bits, DataType.Float type) {
        if (type.bits() == 32) {
            return DoubleText.narrow(bytes, from, to, bits);
        }
        double wide = Double.longBitsToDouble(bits);
        float half = Float.float16ToFloat(Float.floatToFloat16(roundToOdd(wide)));
        return Float.isInfinite(half) && !Double.isInfinite(wide) ? null : half;
    }

    /// A float that rounds to the same half as the double: the last bit indicates whether digits were cut off (round to
    /// odd).
    private static float roundToOdd(double wide) {
        float near = (float) wide;
        if (near == wide || Float.isNaN(near)) {
            return near;
        }
        float cut = Math.abs((double) near) > Math.abs(wide) ? Math.nextAfter(near, 0) : near;
        return Float.intBitsToFloat(Float.floatToRawIntBits(cut) | 1);
    }

    private static @Nullable Object time(DataType.Time type, long units) {
        if (units == TimeText.NO_TIME) {
            return null;
        }
        return type.unit().perSecond() > 1_000 ? JavaValues.ofLong(type, units) : JavaValues.ofInt(type, (int) units);
    }

    private @Nullable ZoneClock clock(DataType.Timestamp type) {
        if (type.zone() == null) {
            return null;
        }
        if (!type.zone().equals(zone)) {
            zone = type.zone();
            clock = ZoneClock.of(zone);
        }
        return clock;
    }
}
