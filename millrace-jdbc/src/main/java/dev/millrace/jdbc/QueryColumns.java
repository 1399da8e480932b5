package dev.millrace.jdbc;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The columns of a query and the data types they are mapped to.
final class QueryColumns {
    private static final int MAX_DIGITS = 38;
    /// The type of numbers without a declared precision.
    private static final DataType.Decimal ANY_NUMBER = DataType.decimal(MAX_DIGITS, 9);

    private QueryColumns() {}

    /// Asks the database for the schema, without reading a row.
    public static Schema schema(Connections connections, String sql) {
        try (OpenConnection open = DatabaseAccess.open(connections);
                Statement statement = open.connection().createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT * FROM (" + sql + ") " + DatabaseAccess.ALIAS + " WHERE 1 = 0")) {
            ResultSetMetaData columns = rows.getMetaData();
            List<Field> fields = new ArrayList<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                fields.add(new Field(columns.getColumnLabel(i), type(columns, i)));
            }
            return Schema.of(fields);
        } catch (SQLException e) {
            throw DatabaseAccess.failed("The query '" + sql + "' cannot be read", e);
        }
    }

    private static DataType type(ResultSetMetaData columns, int i) throws SQLException {
        String named = columns.getColumnTypeName(i) == null
                ? ""
                : columns.getColumnTypeName(i).toLowerCase(Locale.ROOT);
        boolean zoned = named.equals("timestamptz") || named.contains("timestamp with time zone");
        return switch (columns.getColumnType(i)) {
            case Types.BOOLEAN -> DataType.BOOL;
            case Types.BIT -> columns.getPrecision(i) <= 1 ? DataType.BOOL : DataType.UTF8;
            case Types.TINYINT -> columns.isSigned(i) ? DataType.INT8 : DataType.INT16;
            case Types.SMALLINT -> columns.isSigned(i) ? DataType.INT16 : DataType.INT32;
            case Types.INTEGER -> columns.isSigned(i) || named.startsWith("int") ? DataType.INT32 : DataType.INT64;
            case Types.BIGINT ->
                columns.isSigned(i) || !named.contains("unsigned") && !named.startsWith("u")
                        ? DataType.INT64
                        : DataType.UINT64;
            case Types.REAL -> DataType.FLOAT32;
            case Types.FLOAT, Types.DOUBLE -> DataType.FLOAT64;
            case Types.NUMERIC, Types.DECIMAL -> decimal(columns.getPrecision(i), columns.getScale(i));
            case Types.CHAR,
                    Types.VARCHAR,
                    Types.LONGVARCHAR,
                    Types.NCHAR,
                    Types.NVARCHAR,
                    Types.LONGNVARCHAR,
                    Types.CLOB,
                    Types.NCLOB,
                    Types.SQLXML,
                    Types.ROWID -> DataType.UTF8;
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> DataType.BINARY;
            case Types.DATE -> DataType.DATE;
            case Types.TIME, Types.TIME_WITH_TIMEZONE -> DataType.time(TimeUnit.MICROSECOND);
            case Types.TIMESTAMP ->
                zoned ? DataType.timestamp(TimeUnit.MICROSECOND, "UTC") : DataType.timestamp(TimeUnit.MICROSECOND);
            case Types.TIMESTAMP_WITH_TIMEZONE -> DataType.timestamp(TimeUnit.MICROSECOND, "UTC");
            case Types.NULL -> DataType.NULL;
            case Types.ARRAY, Types.STRUCT, Types.REF, Types.REF_CURSOR, Types.DATALINK ->
                throw MillraceException.user("The column '" + columns.getColumnLabel(i) + "' of the query is a " + named
                        + ", which has no type here. Cast it in the query, for example to text or JSON.");
            // Types of one database only, such as uuid, json or an enum: as text.
            default -> DataType.UTF8;
        };
    }

    private static DataType decimal(int precision, int scale) {
        if (precision <= 0 || precision > MAX_DIGITS) {
            return ANY_NUMBER;
        }
        return scale < 0 || scale > precision ? ANY_NUMBER : DataType.decimal(precision, scale);
    }
}
