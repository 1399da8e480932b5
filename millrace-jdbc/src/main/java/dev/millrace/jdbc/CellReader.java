package dev.millrace.jdbc;

import dev.millrace.column.BooleanBuilder;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.column.IntBuilder;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/// Appends a value of the current row to a column.
@FunctionalInterface
interface CellReader {
    void append(ResultSet row, int column, ColumnBuilder builder) throws SQLException;

    static CellReader of(Field field) {
        return switch (field.type()) {
            case DataType.Bool _ ->
                (row, i, builder) -> {
                    boolean value = row.getBoolean(i);
                    if (row.wasNull()) {
                        builder.appendNull();
                    } else {
                        ((BooleanBuilder) builder).append(value);
                    }
                };
            case DataType.Int integer
            when integer.bits() == 64 && integer.signed() ->
                (row, i, builder) -> {
                    long value = row.getLong(i);
                    if (row.wasNull()) {
                        builder.appendNull();
                    } else {
                        ((LongBuilder) builder).append(value);
                    }
                };
            case DataType.Int integer
            when integer.bits() == 32 && integer.signed() ->
                (row, i, builder) -> {
                    int value = row.getInt(i);
                    if (row.wasNull()) {
                        builder.appendNull();
                    } else {
                        ((IntBuilder) builder).append(value);
                    }
                };
            case DataType.Float real
            when real.bits() == 64 ->
                (row, i, builder) -> {
                    double value = row.getDouble(i);
                    if (row.wasNull()) {
                        builder.appendNull();
                    } else {
                        ((DoubleBuilder) builder).append(value);
                    }
                };
            case DataType.Utf8 _ ->
                (row, i, builder) -> {
                    String value = row.getString(i);
                    if (value == null) {
                        builder.appendNull();
                    } else {
                        ((StringColumnBuilder) builder).append(value);
                    }
                };
            case DataType.Binary _ -> (row, i, builder) -> builder.append(row.getBytes(i));
            case DataType.Decimal decimal ->
                (row, i, builder) -> {
                    BigDecimal value = row.getBigDecimal(i);
                    builder.append(value == null ? null : value.setScale(decimal.scale(), RoundingMode.UNNECESSARY));
                };
            case DataType.Date _ -> (row, i, builder) -> builder.append(date(row, i));
            case DataType.Time _ -> (row, i, builder) -> builder.append(time(row, i));
            case DataType.Timestamp stamp
            when stamp.zone() != null -> (row, i, builder) -> builder.append(instant(row, i));
            case DataType.Timestamp _ -> (row, i, builder) -> builder.append(timestamp(row, i));
            // The driver's own object.
            default -> (row, i, builder) -> builder.append(row.getObject(i));
        };
    }

    private static @Nullable LocalDate date(ResultSet row, int i) throws SQLException {
        return row.getObject(i) instanceof LocalDate date
                ? date
                : row.getDate(i) == null ? null : row.getDate(i).toLocalDate();
    }

    private static @Nullable LocalTime time(ResultSet row, int i) throws SQLException {
        Object value = row.getObject(i);
        return value == null || value instanceof LocalTime ? (LocalTime) value : row.getObject(i, LocalTime.class);
    }

    private static @Nullable LocalDateTime timestamp(ResultSet row, int i) throws SQLException {
        return switch (row.getObject(i)) {
            case null -> null;
            case LocalDateTime time -> time;
            case Timestamp time -> time.toLocalDateTime();
            default -> row.getObject(i, LocalDateTime.class);
        };
    }

    private static @Nullable Instant instant(ResultSet row, int i) throws SQLException {
        return switch (row.getObject(i)) {
            case null -> null;
            case OffsetDateTime time -> time.toInstant();
            case ZonedDateTime time -> time.toInstant();
            case Timestamp time -> time.toInstant();
            default -> row.getObject(i, OffsetDateTime.class).toInstant();
        };
    }
}
