package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.udf;
import static dev.millrace.expression.Expressions.when;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.expression.UserFunction;
import dev.millrace.type.DataType;

/// The value of a scalar subquery: that of its only row. More than one row is an error.
final class SingleValue implements UserFunction.Of1<Long, Boolean> {
    private static final long serialVersionUID = 1L;

    private SingleValue() {}

    static Expression of(Expression value, Expression rows) {
        return when(udf("single_value", DataType.BOOL, new SingleValue(), rows))
                .then(value)
                .orNull();
    }

    @Override
    public Boolean apply(Long rows) {
        if (rows > 1) {
            throw MillraceException.data("SQL: a subquery that stands for one value gave " + rows
                    + " rows. Add an aggregate such as max(...), or LIMIT 1.");
        }
        return true;
    }
}
