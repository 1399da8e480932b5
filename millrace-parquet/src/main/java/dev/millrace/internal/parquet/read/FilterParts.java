package dev.millrace.internal.parquet.read;

import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A plan's filter for one file: the parts that depend on a single column, and the rest. One thread.
///
/// @param rest the part that depends on several columns; null if there is none
record FilterParts(List<OfColumn> columns, @Nullable Rest rest) {
    /// The part that depends on several columns.
    record Rest(ReadColumns columns, BoundExpression condition) {}

    /// The part that depends on one column.
    ///
    /// @param field the index among the nodes that are read
    /// @param schema of that column only
    /// @param used whether the column is needed after it has been tested
    record OfColumn(int field, Schema schema, BoundExpression condition, boolean used) {}

    /// @param nodes the nodes of the file that are read
    static FilterParts of(ParquetReadPlan plan, List<SchemaNode> nodes) {
        Map<String, Integer> testable = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            if (isTestable(plan, nodes.get(i))) {
                testable.put(nodes.get(i).name(), i);
            }
        }
        Map<Integer, Expression> ofOne = new LinkedHashMap<>();
        Expression others = null;
        List<Expression> parts =
                plan.filter() == null ? List.of() : plan.filter().conjuncts();
        for (Expression part : parts) {
            Integer field = part.columns().size() == 1
                    ? testable.get(part.columns().iterator().next())
                    : null;
            if (field != null) {
                ofOne.merge(field, part, Expression::and);
            } else {
                others = others == null ? part : others.and(part);
            }
        }
        ReadColumns restColumns = others == null ? null : plan.seenBy(others);
        List<OfColumn> columns = new ArrayList<>();
        ofOne.forEach((field, condition) -> {
            SchemaNode node = nodes.get(field);
            Schema schema = Schema.of(node.name(), node.type());
            boolean used = plan.schema().contains(node.name())
                    || restColumns != null && restColumns.output().contains(node.name());
            columns.add(new OfColumn(field, schema, BoundExpression.bind(condition, schema), used));
        });
        Rest rest = others == null || restColumns == null
                ? null
                : new Rest(restColumns, BoundExpression.bind(others, restColumns.output()));
        return new FilterParts(columns, rest);
    }

    /// Whether the node is a plain column whose type in this file is the one that the filter was written for.
    private static boolean isTestable(ParquetReadPlan plan, SchemaNode node) {
        return node instanceof SchemaNode.Leaf leaf
                && leaf.repetition() == 0
                && leaf.type().equals(plan.all().output().type(leaf.name()));
    }
}
