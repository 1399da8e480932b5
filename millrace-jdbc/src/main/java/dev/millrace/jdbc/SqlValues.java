package dev.millrace.jdbc;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The SQL types of columns, and their values as SQL parameters.
final class SqlValues {
    private SqlValues() {}

    /// Rejects columns that a table cannot hold.
    public static void check(Schema schema) {
        for (Field field : schema.fields()) {
            code(field);
        }
    }

    /// The type code in `java.sql.Types`.
    static int code(Field field) {
        return switch (field.type()) {
            case DataType.Null _ -> Types.NULL;
            case DataType.Bool _ -> Types.BOOLEAN;
            case DataType.Int integer when integer.bits() == 64 && !integer.signed() -> Types.NUMERIC;
            case DataType.Int integer when integer.bits() >= (integer.signed() ? 64 : 32) -> Types.BIGINT;
            case DataType.Int integer when integer.bits() >= (integer.signed() ? 32 : 16) -> Types.INTEGER;
            case DataType.Int _ -> Types.SMALLINT;
            case DataType.Float real -> real.bits() == 64 ? Types.DOUBLE : Types.REAL;
            case DataType.Decimal _ -> Types.NUMERIC;
            case DataType.Utf8 _ -> Types.VARCHAR;
            case DataType.Binary _ -> Types.VARBINARY;
            case DataType.Date _ -> Types.DATE;
            case DataType.Time _ -> Types.TIME;
            case DataType.Timestamp stamp -> stamp.zone() == null ? Types.TIMESTAMP : Types.TIMESTAMP_WITH_TIMEZONE;
            case DataType.Dictionary dictionary -> code(new Field(field.name(), dictionary.value()));
            case DataType.Duration _, DataType.Nested _ ->
                throw MillraceException.user("The column '" + field.name() + "' is " + field.type()
                        + ", which a table cannot hold. Drop it, or make it text first.");
        };
    }

    static void bind(PreparedStatement statement, int i, @Nullable Object value, int code) throws SQLException {
        switch (value) {
            case null -> statement.setNull(i, code);
            case Boolean bool -> statement.setBoolean(i, bool);
            case Double number -> statement.setDouble(i, number);
            case Float number -> statement.setFloat(i, number);
            case BigDecimal number -> statement.setBigDecimal(i, number);
            case BigInteger number -> statement.setBigDecimal(i, new BigDecimal(number));
            case Number number -> statement.setLong(i, number.longValue());
            case String text -> statement.setString(i, text);
            case byte[] bytes -> statement.setBytes(i, bytes);
            case Instant instant -> statement.setObject(i, instant.atOffset(ZoneOffset.UTC));
            case ZonedDateTime time ->
                statement.setObject(i, time.withZoneSameInstant(ZoneOffset.UTC).toOffsetDateTime());
            default -> statement.setObject(i, value);
        }
    }

    /// `CREATE TABLE` with these columns.
    static String create(Connection connection, String table, Schema schema) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
        List<String> columns = new ArrayList<>();
        for (Field field : schema.fields()) {
            columns.add(DatabaseAccess.quote(connection, field.name()) + " " + type(field, product));
        }
        return "CREATE TABLE " + table + " (" + String.join(", ", columns) + ")";
    }

    private static String type(Field field, String product) {
        boolean mysql = product.contains("mysql") || product.contains("mariadb");
        return switch (code(field)) {
            case Types.BOOLEAN -> "BOOLEAN";
            case Types.SMALLINT -> "SMALLINT";
            case Types.INTEGER -> "INTEGER";
            case Types.BIGINT -> "BIGINT";
            case Types.NUMERIC ->
                field.type() instanceof DataType.Decimal decimal
                        ? "NUMERIC(" + decimal.precision() + ", " + decimal.scale() + ")"
                        : "NUMERIC(20, 0)";
            case Types.REAL -> "REAL";
            case Types.DOUBLE -> "DOUBLE PRECISION";
            case Types.VARBINARY -> product.contains("postgres") ? "BYTEA" : mysql ? "LONGBLOB" : "BLOB";
            case Types.DATE -> "DATE";
            case Types.TIME -> "TIME";
            case Types.TIMESTAMP -> mysql ? "DATETIME(6)" : "TIMESTAMP";
            case Types.TIMESTAMP_WITH_TIMEZONE -> mysql ? "DATETIME(6)" : "TIMESTAMP WITH TIME ZONE";
            default -> product.contains("postgres") || mysql ? "TEXT" : "VARCHAR";
        };
    }
}
