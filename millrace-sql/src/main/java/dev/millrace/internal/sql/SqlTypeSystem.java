package dev.millrace.internal.sql;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/// The types of aggregates and decimals: the same as those of the corresponding dataset operations.
final class SqlTypeSystem extends RelDataTypeSystemImpl {
    private static final int DIGITS = 38;
    private static final int NANOSECONDS = 9;

    @Override
    public int getMaxPrecision(SqlTypeName type) {
        return switch (type) {
            case DECIMAL -> DIGITS;
            case TIME, TIMESTAMP, TIMESTAMP_TZ, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> NANOSECONDS;
            default -> super.getMaxPrecision(type);
        };
    }

    @Override
    public int getMaxScale(SqlTypeName type) {
        return type == SqlTypeName.DECIMAL ? DIGITS : super.getMaxScale(type);
    }

    /// A timestamp without a precision has microseconds; a decimal without one is decimal(18, 3), as in DuckDB.
    @Override
    public int getDefaultPrecision(SqlTypeName type) {
        return switch (type) {
            case DECIMAL -> 18;
            case TIME, TIMESTAMP, TIMESTAMP_TZ, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> 6;
            default -> super.getDefaultPrecision(type);
        };
    }

    @Override
    public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
        RelDataType sum = SqlTypes.isInteger(argument)
                ? factory.createSqlType(SqlTypeName.BIGINT)
                : SqlTypes.isDecimal(argument)
                        ? factory.createSqlType(SqlTypeName.DECIMAL, DIGITS, argument.getScale())
                        : factory.createSqlType(SqlTypeName.DOUBLE);
        return factory.createTypeWithNullability(sum, argument.isNullable());
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
        return factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.DOUBLE), argument.isNullable());
    }

    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }
}
