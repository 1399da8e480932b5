package dev.millrace.internal.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.text.TextValues;
import dev.millrace.internal.value.JavaValues;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Casts one Java value (as returned by `Column.value`) between two types for which [CastRules] allows it.
///
/// Text is parsed as in files, by [TextValues]; a decimal is rounded half up to its scale; a time is truncated to a
/// coarser unit towards the past; local times and instants are converted by the rules of the zone.
final class CastValues {
    private final TextValues texts = new TextValues();

    /// The value does not fit. Thrown often by tryCast, therefore without a stack trace.
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("StaticAssignmentOfThrowable") // has no stack trace, and takes nothing suppressed
        static final Refused INSTANCE = new Refused();

        private Refused() {
            super(null, null, false, false);
        }
    }

    @Nullable
    Object cast(@Nullable Object value, DataType from, DataType to) throws Refused {
        if (value == null || from.equals(to)) {
            return value;
        }
        try {
            return switch (to) {
                case DataType.Bool _,
                        DataType.Int _,
                        DataType.Float _,
                        DataType.Date _,
                        DataType.Time _,
                        DataType.Timestamp _
                when value instanceof String text -> parsed(text, to);
                case DataType.Bool _ -> ((Number) value).doubleValue() != 0;
                case DataType.Int integer -> toInteger(value, from, integer);
                case DataType.Float real -> toFloat(value, real);
                case DataType.Decimal decimal -> toDecimal(value, decimal);
                case DataType.Date _, DataType.Time _, DataType.Timestamp _, DataType.Duration _ ->
                    CastTimes.toTime(value, to);
                case DataType.Utf8 _ -> toText(value);
                case DataType.Binary _ -> ((String) value).getBytes(StandardCharsets.UTF_8);
                case DataType.ListOf list -> elements((List<?>) value, from, list.element());
                case DataType.FixedList list -> {
                    if (((List<?>) value).size() != list.size()) {
                        throw Refused.INSTANCE;
                    }
                    yield elements((List<?>) value, from, list.element());
                }
                case DataType.Struct struct -> fields((Map<?, ?>) value, (DataType.Struct) from, struct);
                case DataType.MapOf map -> entries((Map<?, ?>) value, (DataType.MapOf) from, map);
                case DataType.Dictionary dictionary -> cast(value, from, dictionary.value());
                case DataType.Null _, DataType.Tensor _, DataType.VariableTensor _ -> throw Refused.INSTANCE;
            };
        } catch (ArithmeticException | NumberFormatException | DateTimeException | MillraceException e) {
            throw Refused.INSTANCE;
        }
    }

    /// The value of a text; see [TextValues].
    private Object parsed(String text, DataType to) throws Refused {
        Object value = texts.value(text, to);
        if (value == null) {
            throw Refused.INSTANCE;
        }
        return value;
    }

    private static Object toInteger(Object value, DataType from, DataType.Int to) throws Refused {
        BigInteger whole = switch (value) {
            case Boolean flag -> flag ? BigInteger.ONE : BigInteger.ZERO;
            case BigInteger big -> big;
            case BigDecimal decimal -> decimal.toBigIntegerExact();
            case Float real -> new BigDecimal(real).toBigIntegerExact();
            case Double real -> new BigDecimal(real).toBigIntegerExact();
            case Number number -> BigInteger.valueOf(number.longValue());
            case LocalDate date -> BigInteger.valueOf(date.toEpochDay());
            default -> BigInteger.valueOf(JavaValues.toLong(from, value));
        };
        boolean fits =
                to.signed() ? whole.bitLength() < to.bits() : whole.signum() >= 0 && whole.bitLength() <= to.bits();
        if (!fits) {
            throw Refused.INSTANCE;
        }
        return boxed(whole, to);
    }

    /// The value in the class that `Column.value` returns for the type.
    private static Object boxed(BigInteger whole, DataType.Int type) {
        if (type.signed()) {
            return switch (type.bits()) {
                case 8 -> whole.byteValue();
                case 16 -> whole.shortValue();
                case 32 -> whole.intValue();
                default -> whole.longValue();
            };
        }
        return switch (type.bits()) {
            case 8 -> whole.shortValue();
            case 16 -> whole.intValue();
            case 32 -> whole.longValue();
            default -> whole;
        };
    }

    private static Object toFloat(Object value, DataType.Float to) {
        double real = switch (value) {
            case Boolean flag -> flag ? 1 : 0;
            default -> ((Number) value).doubleValue();
        };
        return switch (to.bits()) {
            case 16 -> Float.float16ToFloat(Float.floatToFloat16((float) real));
            case 32 -> value instanceof Number number ? number.floatValue() : (float) real;
            default -> real;
        };
    }

    private BigDecimal toDecimal(Object value, DataType.Decimal to) throws Refused {
        BigDecimal exact = switch (value) {
            case Boolean flag -> flag ? BigDecimal.ONE : BigDecimal.ZERO;
            case BigDecimal decimal -> decimal;
            case BigInteger big -> new BigDecimal(big);
            case Float real -> new BigDecimal(real.toString());
            case Double real -> new BigDecimal(real.toString());
            case String text -> (BigDecimal) parsed(text, to);
            default -> BigDecimal.valueOf(((Number) value).longValue());
        };
        if (exact.precision() - (long) exact.scale() > TypePromotion.MAX_PRECISION + 1) {
            throw Refused.INSTANCE;
        }
        BigDecimal scaled = exact.setScale(to.scale(), RoundingMode.HALF_UP);
        if (scaled.precision() > to.precision()) {
            throw Refused.INSTANCE;
        }
        return scaled;
    }

    private static String toText(Object value) throws Refused {
        return switch (value) {
            case BigDecimal decimal -> decimal.toPlainString();
            case byte[] bytes -> {
                try {
                    yield StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString();
                } catch (CharacterCodingException e) {
                    throw Refused.INSTANCE;
                }
            }
            default -> CastTimes.toText(value);
        };
    }

    private List<@Nullable Object> elements(List<?> values, DataType from, DataType element) throws Refused {
        DataType source = from instanceof DataType.ListOf list ? list.element() : ((DataType.FixedList) from).element();
        List<@Nullable Object> cast = new ArrayList<>(values.size());
        for (Object value : values) {
            cast.add(cast(value, source, element));
        }
        return cast;
    }

    private Map<String, @Nullable Object> fields(Map<?, ?> values, DataType.Struct from, DataType.Struct to)
            throws Refused {
        Map<String, @Nullable Object> cast = new LinkedHashMap<>();
        for (Field target : to.fields()) {
            for (Field source : from.fields()) {
                if (source.name().equals(target.name())) {
                    cast.put(target.name(), cast(values.get(source.name()), source.type(), target.type()));
                }
            }
        }
        return cast;
    }

    private Map<Object, Object> entries(Map<?, ?> values, DataType.MapOf from, DataType.MapOf to) throws Refused {
        Map<Object, Object> cast = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : values.entrySet()) {
            cast.put(cast(entry.getKey(), from.key(), to.key()), cast(entry.getValue(), from.value(), to.value()));
        }
        return cast;
    }
}
