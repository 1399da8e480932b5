package dev.millrace.jdbc;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a query is split into parts.
///
/// @param key a column of the query, or an integer expression
/// @param ranges true to split by ranges of the column, false to split by remainders of the expression
record ShardPlan(String key, int parts, boolean ranges) implements Serializable {
    private static final long MICROS = 1_000_000;

    public ShardPlan {
        if (parts < 1) {
            throw MillraceException.user("A query is cut into at least 1 part, not " + parts + ".");
        }
    }

    public static ShardPlan ranges(String column, int parts) {
        return new ShardPlan(column, parts, true);
    }

    public static ShardPlan remainders(String expression, int parts) {
        return new ShardPlan(expression, parts, false);
    }

    @Override
    public String toString() {
        return parts + " parts by " + key;
    }

    /// @throws MillraceException culprit USER, if the column does not exist or cannot be split into ranges
    public void check(Schema schema, String sql) {
        if (!ranges) {
            return;
        }
        DataType type = schema.field(schema.require(key, "shard")).type();
        boolean fits = switch (type) {
            case DataType.Int _, DataType.Float _, DataType.Decimal _, DataType.Date _ -> true;
            case DataType.Timestamp stamp -> stamp.zone() == null;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Time _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> false;
        };
        if (!fits) {
            throw MillraceException.user("The query '" + sql + "' cannot be cut into ranges of '" + key + "', which is "
                    + type + ". Take a number, a date or a timestamp, or shardBy(\"an integer expression in SQL\", "
                    + parts + ").");
        }
    }

    public List<QueryShard> cut(Connections connections, String sql, Schema schema) {
        return ranges
                ? cutRanges(
                        connections,
                        sql,
                        schema.field(schema.require(key, "shard")).type())
                : cutRemainders();
    }

    private List<QueryShard> cutRemainders() {
        List<QueryShard> shards = new ArrayList<>();
        String remainder = "MOD(" + key + ", " + parts + ")";
        for (int i = 0; i < parts; i++) {
            // Remainders of negative numbers are negative.
            String condition = i == 0
                    ? "(" + remainder + " = 0 OR (" + key + ") IS NULL)"
                    : "(" + remainder + " = " + i + " OR " + remainder + " = " + (i - parts) + ")";
            shards.add(new QueryShard(condition, List.of(), "part " + i + " of " + parts));
        }
        return shards;
    }

    private List<QueryShard> cutRanges(Connections connections, String sql, DataType type) {
        List<QueryShard> shards = new ArrayList<>();
        try (OpenConnection open = DatabaseAccess.open(connections);
                Statement statement = open.connection().createStatement()) {
            String column = DatabaseAccess.quote(open.connection(), key);
            List<BigDecimal> ends = ends(statement, sql, column, type);
            List<BigDecimal> borders = ends.isEmpty() ? List.of() : borders(ends.get(0), ends.get(1), type);
            @Nullable Object before = null;
            for (BigDecimal border : borders) {
                Object value = value(border, type);
                shards.add(range(column, before, value));
                before = value;
            }
            shards.add(range(column, before, null));
            if (before != null) {
                shards.add(new QueryShard(column + " IS NULL", List.of(), key + " is null"));
            }
        } catch (SQLException e) {
            throw DatabaseAccess.failed(
                    "The smallest and largest '" + key + "' of the query could not be asked for", e);
        }
        return shards;
    }

    private QueryShard range(String column, @Nullable Object from, @Nullable Object to) {
        if (from == null && to == null) {
            return QueryShard.ALL;
        }
        String text = from == null
                ? column + " < ?"
                : to == null ? column + " >= ?" : column + " >= ? AND " + column + " < ?";
        List<Object> values = new ArrayList<>();
        if (from != null) {
            values.add(from);
        }
        if (to != null) {
            values.add(to);
        }
        String description = key + (from == null ? "" : " from " + from) + (to == null ? "" : " below " + to);
        return new QueryShard(text, List.copyOf(values), description);
    }

    /// The minimum and maximum, as numbers; empty if there is no value.
    private static List<BigDecimal> ends(Statement statement, String sql, String column, DataType type)
            throws SQLException {
        try (ResultSet row = statement.executeQuery(
                "SELECT MIN(" + column + "), MAX(" + column + ") FROM (" + sql + ") " + DatabaseAccess.ALIAS)) {
            row.next();
            BigDecimal least = number(row, 1, type);
            BigDecimal most = number(row, 2, type);
            return least == null || most == null ? List.of() : List.of(least, most);
        }
    }

    private static @Nullable BigDecimal number(ResultSet row, int i, DataType type) throws SQLException {
        if (row.getObject(i) == null) {
            return null;
        }
        return switch (type) {
            case DataType.Date _ ->
                BigDecimal.valueOf(row.getDate(i).toLocalDate().toEpochDay());
            case DataType.Timestamp _ -> {
                LocalDateTime time = row.getTimestamp(i).toLocalDateTime();
                yield BigDecimal.valueOf(time.toEpochSecond(ZoneOffset.UTC))
                        .multiply(BigDecimal.valueOf(MICROS))
                        .add(BigDecimal.valueOf(time.get(ChronoField.MICRO_OF_SECOND)));
            }
            case DataType.Float _ -> {
                double real = row.getDouble(i);
                yield Double.isFinite(real) ? new BigDecimal(real) : null;
            }
            // Integers and decimals.
            default -> row.getBigDecimal(i);
        };
    }

    /// Distinct borders at equal distances between the minimum and the maximum.
    private List<BigDecimal> borders(BigDecimal least, BigDecimal most, DataType type) {
        boolean whole = !(type instanceof DataType.Float) && !(type instanceof DataType.Decimal);
        List<BigDecimal> borders = new ArrayList<>();
        BigDecimal width = most.subtract(least);
        for (int i = 1; i < parts; i++) {
            BigDecimal border = least.add(width.multiply(BigDecimal.valueOf(i))
                    .divide(BigDecimal.valueOf(parts), whole ? 0 : 9, RoundingMode.HALF_UP));
            boolean isNew = border.compareTo(borders.isEmpty() ? least : borders.getLast()) > 0;
            if (isNew && border.compareTo(most) <= 0) {
                borders.add(border);
            }
        }
        return borders;
    }

    private static Object value(BigDecimal number, DataType type) {
        return switch (type) {
            case DataType.Date _ -> LocalDate.ofEpochDay(number.longValueExact());
            case DataType.Timestamp _ -> {
                BigInteger micros = number.toBigIntegerExact();
                BigInteger[] parts = micros.divideAndRemainder(BigInteger.valueOf(MICROS));
                long seconds = parts[0].longValueExact();
                long rest = parts[1].longValueExact();
                yield LocalDateTime.ofEpochSecond(
                        rest < 0 ? seconds - 1 : seconds,
                        (int) ((rest < 0 ? rest + MICROS : rest) * 1_000),
                        ZoneOffset.UTC);
            }
            case DataType.Float _ -> number.doubleValue();
            case DataType.Int integer when integer.signed() -> number.longValueExact();
            // Unsigned integers and decimals.
            default -> number;
        };
    }

    /// Sets the value of a border with the oldest JDBC calls, which all drivers support.
    static void bind(java.sql.PreparedStatement statement, int i, Object value) throws SQLException {
        switch (value) {
            case Long number -> statement.setLong(i, number);
            case Double number -> statement.setDouble(i, number);
            case BigDecimal number -> statement.setBigDecimal(i, number);
            case LocalDate date -> statement.setDate(i, java.sql.Date.valueOf(date));
            case LocalDateTime time -> statement.setTimestamp(i, Timestamp.valueOf(time));
            default -> statement.setObject(i, value, Types.OTHER);
        }
    }
}
