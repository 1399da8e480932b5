package dev.millrace.internal.sql;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/// Texts are UTF-8 of any length: no text is ever padded with blanks.
final class SqlTypeFactory extends SqlTypeFactoryImpl {
    SqlTypeFactory() {
        super(new SqlTypeSystem());
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }

    @Override
    public RelDataType createSqlType(SqlTypeName name, int precision) {
        return switch (name) {
            case CHAR, VARCHAR -> super.createSqlType(SqlTypeName.VARCHAR, RelDataType.PRECISION_NOT_SPECIFIED);
            case BINARY, VARBINARY -> super.createSqlType(SqlTypeName.VARBINARY, RelDataType.PRECISION_NOT_SPECIFIED);
            default -> super.createSqlType(name, precision);
        };
    }
}
