package dev.millrace.internal.parquet.prune;

import dev.millrace.expression.Expression;
import dev.millrace.expression.Logical;
import dev.millrace.expression.LogicalOperator;
import dev.millrace.internal.parquet.format.ColumnIndex;
import dev.millrace.internal.parquet.format.OffsetIndex;
import dev.millrace.internal.parquet.schema.SchemaNode;
import java.util.Set;
import java.util.function.Function;

/// Tells from the ranges of pages which rows of a row group may pass a filter. Errs on one side only, as [Pruner] does.
public final class PagePruner {
    private PagePruner() {}

    /// The pages of a column without lists.
    public record Pages(SchemaNode.Leaf leaf, ColumnIndex index, OffsetIndex places) {
        private Pruner.Known page(int page) {
            Range range = index.nullPages()[page]
                    ? Range.ALL_NULL
                    : Bounds.range(leaf, index.page(page), places.endRow(page) - places.firstRow(page));
            return new Pruner.Known(leaf.type(), range, null);
        }
    }

    /// @param columns null for a column whose pages are not known
    public static RowRanges rows(Expression filter, long rows, Function<String, Pages> columns) {
        if (filter instanceof Logical(LogicalOperator operator, Expression left, Expression right)) {
            RowRanges one = rows(left, rows, columns);
            RowRanges other = rows(right, rows, columns);
            return operator == LogicalOperator.AND ? one.and(other) : one.or(other);
        }
        Set<String> names = filter.columns();
        Pages pages = names.size() == 1 ? columns.apply(names.iterator().next()) : null;
        if (pages == null) {
            return RowRanges.all(rows);
        }
        RowRanges.Builder passing = new RowRanges.Builder();
        for (int i = 0; i < pages.places().pages(); i++) {
            Pruner.Known known = pages.page(i);
            if (Pruner.mayPass(filter, _ -> known)) {
                passing.add(pages.places().firstRow(i), pages.places().endRow(i));
            }
        }
        return passing.build();
    }
}
