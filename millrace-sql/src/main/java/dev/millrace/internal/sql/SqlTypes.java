package dev.millrace.internal.sql;

import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/// Maps column types to SQL types and back. Every column is nullable. Types without SQL operators (tensors, durations)
/// are ANY: they can be selected, tested for null and counted.
final class SqlTypes {
    /// The zone of times with a zone that a query creates, and of texts, dates and times without one that they are
    /// compared with.
    static final String ZONE = "UTC";

    private SqlTypes() {}

    static RelDataType rowType(Schema schema, RelDataTypeFactory factory) {
        RelDataTypeFactory.Builder builder = factory.builder();
        for (Field field : schema.fields()) {
            builder.add(field.name(), nullable(toSql(field.type(), factory), factory));
        }
        return builder.build();
    }

    private static RelDataType nullable(RelDataType type, RelDataTypeFactory factory) {
        return factory.createTypeWithNullability(type, true);
    }

    private static RelDataType toSql(DataType type, RelDataTypeFactory factory) {
        return switch (type) {
            case DataType.Null _ -> factory.createSqlType(SqlTypeName.NULL);
            case DataType.Bool _ -> factory.createSqlType(SqlTypeName.BOOLEAN);
            case DataType.Int(int bits, boolean signed) -> factory.createSqlType(integer(bits, signed));
            case DataType.Float(int bits) -> factory.createSqlType(bits == 64 ? SqlTypeName.DOUBLE : SqlTypeName.REAL);
            case DataType.Decimal(int precision, int scale) ->
                factory.createSqlType(SqlTypeName.DECIMAL, precision, scale);
            case DataType.Date _ -> factory.createSqlType(SqlTypeName.DATE);
            case DataType.Time(TimeUnit unit) -> factory.createSqlType(SqlTypeName.TIME, digits(unit));
            case DataType.Timestamp(TimeUnit unit, String zone) ->
                factory.createSqlType(
                        zone == null ? SqlTypeName.TIMESTAMP : SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE,
                        digits(unit));
            case DataType.Utf8 _ -> factory.createSqlType(SqlTypeName.VARCHAR);
            case DataType.Binary _ -> factory.createSqlType(SqlTypeName.VARBINARY);
            case DataType.Dictionary dictionary -> toSql(dictionary.value(), factory);
            case DataType.ListOf(DataType element) ->
                factory.createArrayType(nullable(toSql(element, factory), factory), -1);
            case DataType.FixedList(DataType element, int _) ->
                factory.createArrayType(nullable(toSql(element, factory), factory), -1);
            case DataType.Struct(List<Field> fields) -> rowType(Schema.of(fields), factory);
            case DataType.MapOf(DataType key, DataType value) ->
                factory.createMapType(toSql(key, factory), nullable(toSql(value, factory), factory));
            case DataType.Duration _, DataType.Tensor _, DataType.VariableTensor _ ->
                factory.createSqlType(SqlTypeName.ANY);
        };
    }

    private static SqlTypeName integer(int bits, boolean signed) {
        return switch (bits) {
            case 8 -> signed ? SqlTypeName.TINYINT : SqlTypeName.UTINYINT;
            case 16 -> signed ? SqlTypeName.SMALLINT : SqlTypeName.USMALLINT;
            case 32 -> signed ? SqlTypeName.INTEGER : SqlTypeName.UINTEGER;
            default -> signed ? SqlTypeName.BIGINT : SqlTypeName.UBIGINT;
        };
    }

    private static int digits(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> 0;
            case MILLISECOND -> 3;
            case MICROSECOND -> 6;
            case NANOSECOND -> 9;
        };
    }

    /// The column type of a SQL type, or null if there is none.
    static @Nullable DataType toColumn(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case BOOLEAN -> DataType.BOOL;
            case TINYINT -> DataType.INT8;
            case SMALLINT -> DataType.INT16;
            case INTEGER -> DataType.INT32;
            case BIGINT -> DataType.INT64;
            case UTINYINT -> DataType.UINT8;
            case USMALLINT -> DataType.UINT16;
            case UINTEGER -> DataType.UINT32;
            case UBIGINT -> DataType.UINT64;
            case REAL -> DataType.FLOAT32;
            case FLOAT, DOUBLE -> DataType.FLOAT64;
            case DECIMAL -> DataType.decimal(type.getPrecision(), type.getScale());
            case CHAR, VARCHAR -> DataType.UTF8;
            case BINARY, VARBINARY -> DataType.BINARY;
            case DATE -> DataType.DATE;
            case TIME -> DataType.time(unit(type.getPrecision()));
            case TIMESTAMP -> DataType.timestamp(unit(type.getPrecision()));
            case TIMESTAMP_TZ, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> DataType.timestamp(unit(type.getPrecision()), ZONE);
            case NULL -> DataType.NULL;
            case ARRAY -> {
                DataType element = toColumn(type.getComponentType());
                yield element == null ? null : DataType.list(element);
            }
            default -> null;
        };
    }

    private static TimeUnit unit(int digits) {
        return digits <= 0
                ? TimeUnit.SECOND
                : digits <= 3 ? TimeUnit.MILLISECOND : digits <= 6 ? TimeUnit.MICROSECOND : TimeUnit.NANOSECOND;
    }

    static boolean isFloat(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case REAL, FLOAT, DOUBLE -> true;
            default -> false;
        };
    }

    static boolean isDecimal(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.DECIMAL;
    }

    static boolean isZoned(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.TIMESTAMP_TZ
                || type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
    }

    /// A date or a time without a zone.
    static boolean isLocal(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.DATE || type.getSqlTypeName() == SqlTypeName.TIMESTAMP;
    }

    static boolean isText(RelDataType type) {
        return SqlTypeName.CHAR_TYPES.contains(type.getSqlTypeName());
    }

    static boolean isInterval(RelDataType type) {
        return SqlTypeName.INTERVAL_TYPES.contains(type.getSqlTypeName());
    }

    static boolean isInteger(RelDataType type) {
        return SqlTypeName.INT_TYPES.contains(type.getSqlTypeName())
                || SqlTypeName.UNSIGNED_TYPES.contains(type.getSqlTypeName());
    }
}
