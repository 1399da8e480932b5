package dev.millrace.internal.sql;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;

/// Implicit casts. Numbers of different types are not cast: expressions convert them, and the validator would add the
/// cast to only one of two equal expressions, of GROUP BY and SELECT, which would then differ.
final class TypeCoercion extends TypeCoercionImpl {
    TypeCoercion(RelDataTypeFactory types, SqlValidator validator) {
        super(types, validator);
    }

    @Override
    public boolean binaryArithmeticCoercion(SqlCallBinding binding) {
        return !areNumbers(binding) && super.binaryArithmeticCoercion(binding);
    }

    @Override
    public boolean binaryComparisonCoercion(SqlCallBinding binding) {
        return !areNumbers(binding) && super.binaryComparisonCoercion(binding);
    }

    private static boolean areNumbers(SqlCallBinding binding) {
        for (int i = 0; i < binding.getOperandCount(); i++) {
            RelDataType type = binding.getOperandType(i);
            if (!SqlTypeUtil.isNumeric(type) && type.getSqlTypeName() != SqlTypeName.NULL) {
                return false;
            }
        }
        return true;
    }
}
