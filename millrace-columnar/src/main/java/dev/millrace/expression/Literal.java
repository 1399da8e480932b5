package dev.millrace.expression;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.TimeUnit;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A constant. Numbers keep their Java type (`1` is int32, `1L` int64, `1.0` float64), so that `int32 + 1` is int32 and
/// `int32 + 1L` is int64; null has the type `null`, which adapts to the other operand.
public record Literal(@Nullable Object value, DataType type) implements Expression {
    public Literal {
        Objects.requireNonNull(type, "type");
    }

    /// The literal of a Java value.
    ///
    /// @throws MillraceException culprit USER, for a class that no column type represents
    public static Literal of(@Nullable Object value) {
        return switch (value) {
            case null -> new Literal(null, DataType.NULL);
            case Literal literal -> literal;
            case Boolean _ -> new Literal(value, DataType.BOOL);
            case Byte _ -> new Literal(value, DataType.INT8);
            case Short _ -> new Literal(value, DataType.INT16);
            case Integer _ -> new Literal(value, DataType.INT32);
            case Long _ -> new Literal(value, DataType.INT64);
            case Float _ -> new Literal(value, DataType.FLOAT32);
            case Double _ -> new Literal(value, DataType.FLOAT64);
            case BigDecimal number -> decimal(number);
            case BigInteger number -> decimal(new BigDecimal(number));
            case String _ -> new Literal(value, DataType.UTF8);
            case Character c -> new Literal(c.toString(), DataType.UTF8);
            case Enum<?> constant -> new Literal(constant.name(), DataType.UTF8);
            case byte[] bytes -> new Literal(bytes.clone(), DataType.BINARY);
            case LocalDate _ -> new Literal(value, DataType.DATE);
            case LocalTime time -> new Literal(value, DataType.time(unit(time.get(ChronoField.NANO_OF_SECOND))));
            case LocalDateTime time ->
                new Literal(value, DataType.timestamp(unit(time.get(ChronoField.NANO_OF_SECOND))));
            case ZonedDateTime time ->
                new Literal(
                        value,
                        DataType.timestamp(unit(time.getNano()), time.getZone().getId()));
            case OffsetDateTime time -> of(time.toZonedDateTime());
            case Instant time -> of(time.atZone(ZoneId.of("UTC")));
            case Duration time -> new Literal(value, DataType.duration(unit(time.toNanosPart())));
            case List<?> list -> list(list);
            case Map<?, ?> map -> struct(map);
            case Expression expression ->
                throw MillraceException.user("A constant is needed here, not the expression " + expression + ".");
            default ->
                throw MillraceException.user(
                        "A " + value.getClass().getName() + " is no literal: there is no column type"
                                + " for it. Use a number, string, date, time, byte[], list or map of these.");
        };
    }

    private static Literal decimal(BigDecimal number) {
        BigDecimal plain = number.scale() < 0 ? number.setScale(0) : number;
        int precision = Math.max(plain.precision(), plain.scale());
        if (precision > 38) {
            throw MillraceException.user(number + " has " + precision + " digits; a decimal holds 38 at most.");
        }
        return new Literal(plain, DataType.decimal(precision, plain.scale()));
    }

    private static TimeUnit unit(int nanos) {
        return nanos % 1000 == 0 ? TimeUnit.MICROSECOND : TimeUnit.NANOSECOND;
    }

    private static Literal list(List<?> list) {
        DataType element = DataType.NULL;
        for (Object value : list) {
            Literal literal = of(value);
            if (element.equals(DataType.NULL)) {
                element = literal.type();
            } else if (literal.value() != null && !literal.type().equals(element)) {
                throw MillraceException.user("A list literal holds values of one type, not " + element + " and "
                        + literal.type() + ": " + list + ".");
            }
        }
        return new Literal(new ArrayList<>(list), DataType.list(element));
    }

    private static Literal struct(Map<?, ?> map) {
        List<Field> fields = new ArrayList<>();
        map.forEach((name, value) ->
                fields.add(new Field(String.valueOf(name), of(value).type())));
        return new Literal(new LinkedHashMap<>(map), DataType.struct(fields.toArray(Field[]::new)));
    }

    @Override
    public List<Expression> children() {
        return List.of();
    }

    @Override
    public Expression withChildren(List<Expression> children) {
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Literal literal
                && type.equals(literal.type)
                && Objects.deepEquals(value, literal.value);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(new Object[] {value, type});
    }

    @Override
    public String toString() {
        return switch (value) {
            case null -> "null";
            case String text -> "'" + text.replace("'", "''") + "'";
            case byte[] bytes -> "x'" + HexFormat.of().formatHex(bytes) + "'";
            case Number number -> number.toString();
            case Boolean flag -> flag.toString();
            case List<?> list ->
                list.stream().map(v -> of(v).toString()).toList().toString();
            case Serializable other -> "'" + other + "'";
            default -> String.valueOf(value);
        };
    }
}
