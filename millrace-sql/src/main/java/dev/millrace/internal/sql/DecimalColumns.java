package dev.millrace.internal.sql;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.Dataset;
import dev.millrace.expression.Expression;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Casts decimals of the inputs of a set operation to a common type, with enough digits for all of them, up to 38: a
/// value that does not fit is an error at run time. Without it the union of datasets would reject types in which some
/// value might not fit.
final class DecimalColumns {
    private static final int MAX_PRECISION = 38;

    private DecimalColumns() {}

    static List<Dataset> alike(List<Dataset> inputs, List<String> names) {
        Map<String, DataType> types = new LinkedHashMap<>();
        for (String name : names) {
            DataType common = common(inputs, name);
            if (common != null) {
                types.put(name, common);
            }
        }
        if (types.isEmpty()) {
            return inputs;
        }
        List<Dataset> alike = new ArrayList<>();
        for (Dataset input : inputs) {
            List<Expression> columns = new ArrayList<>();
            names.forEach(name -> columns.add(
                    types.containsKey(name) ? col(name).cast(types.get(name)).as(name) : col(name)));
            alike.add(input.select(columns.toArray(Expression[]::new)));
        }
        return alike;
    }

    /// Null if the column is not a decimal in some input, or has the same type in all.
    private static @Nullable DataType common(List<Dataset> inputs, String name) {
        int whole = 0;
        int scale = 0;
        boolean differ = false;
        DataType first = inputs.getFirst().schema().type(name);
        for (Dataset input : inputs) {
            if (!(input.schema().type(name) instanceof DataType.Decimal decimal)) {
                return null;
            }
            differ |= !decimal.equals(first);
            whole = Math.max(whole, decimal.precision() - decimal.scale());
            scale = Math.max(scale, decimal.scale());
        }
        return differ ? DataType.decimal(Math.min(MAX_PRECISION, whole + scale), scale) : null;
    }
}
