package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.coalesce;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;

import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;

/// Join keys for which null equals null: whether the value is null, and the value or a substitute for null.
final class NullSafeKeys {
    private NullSafeKeys() {}

    /// Two columns for each of `columns`, with names that begin with `prefix`.
    static List<Expression> of(Schema schema, List<String> columns, String prefix) {
        List<Expression> keys = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            keys.addAll(of(col(columns.get(i)), schema.type(columns.get(i)), prefix + i));
        }
        return keys;
    }

    /// Two columns for a value, `name` and `name_null`.
    static List<Expression> of(Expression value, DataType type, String name) {
        return List.of(
                value.isNull().as(name + "_null"), coalesce(value, some(type)).as(name));
    }

    static List<String> names(List<Expression> keys) {
        return keys.stream().map(Expression::outputName).toList();
    }

    private static Expression some(DataType type) {
        return switch (type) {
            case DataType.Dictionary dictionary -> some(dictionary.value());
            case DataType.Bool _ -> lit(false);
            case DataType.Int _, DataType.Float _ -> lit(0).cast(type);
            case DataType.Decimal _ -> lit(BigDecimal.ZERO).cast(type);
            case DataType.Utf8 _ -> lit("");
            case DataType.Binary _ -> lit(new byte[0]);
            case DataType.Date _ -> lit(LocalDate.EPOCH);
            case DataType.Time _ -> lit(LocalTime.MIDNIGHT).cast(type);
            case DataType.Timestamp _ ->
                lit(LocalDateTime.of(LocalDate.EPOCH, LocalTime.MIDNIGHT)).cast(type);
            case DataType.Null _, DataType.Duration _, DataType.Nested _ ->
                throw RexTranslator.unsupported("A join that compares values of type " + type);
        };
    }
}
