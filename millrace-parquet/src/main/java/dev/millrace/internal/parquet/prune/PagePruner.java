package dev.millrace.internal.parquet.prune;

import dev.millrace.expression.Expression;
import dev.millrace.expression.Logical;
import dev.millrace.expression.LogicalOperator;
import dev.millrace.internal.parquet.format.ColumnIndex;
import dev.millrace.internal.parquet.format.OffsetIndex;
import dev.millrace.internal.parquet.schema.SchemaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds the rows of a row group that may pass a filter, from the bounds of pages. Conservative like [RangePruner]: it
/// never excludes a row that passes.
public final class PagePruner {
    private PagePruner() {}

    /// The pages of a column without lists.
    ///
    /// @param ranges one per page
    public record Pages(SchemaNode.Leaf leaf, List<ColumnRange> ranges, OffsetIndex places) {
        /// Null for an index that contradicts itself, the column or the offset index: none of it can be trusted then.
        /// (parquet-mr 1.13 wrote indexes of all-null pages for columns without nulls.)
        public static @Nullable Pages of(SchemaNode.Leaf leaf, ColumnIndex index, OffsetIndex places) {
            List<ColumnRange> ranges = new ArrayList<>();
            ColumnRange last = null;
            for (int i = 0; i < index.pages(); i++) {
                long rows = places.endRow(i) - places.firstRow(i);
                ColumnRange range = index.nullPages()[i] ? nullPage(leaf, index, i, rows) : page(leaf, index, i, rows);
                if (range == null || last != null && !follows(last, range, index.order())) {
                    return null;
                }
                ranges.add(range);
                last = range.allNull() ? last : range;
            }
            return new Pages(leaf, ranges, places);
        }

        private static @Nullable ColumnRange nullPage(SchemaNode.Leaf leaf, ColumnIndex index, int page, long rows) {
            boolean possible = leaf.definition() > 0 && (index.nulls() == null || index.nulls()[page] == rows);
            return possible ? ColumnRange.ALL_NULL : null;
        }

        /// The range of a page that has values.
        private static @Nullable ColumnRange page(SchemaNode.Leaf leaf, ColumnIndex index, int page, long rows) {
            ColumnRange range = ComparableBounds.range(leaf, index.page(page), rows);
            return range == null || range.allNull() ? null : range;
        }

        private static boolean follows(ColumnRange before, ColumnRange range, ColumnIndex.Order order) {
            return range.allNull()
                    || order == ColumnIndex.Order.UNORDERED
                    || follows(before.min(), range.min(), order) && follows(before.max(), range.max(), order);
        }

        private static boolean follows(
                @Nullable Comparable<?> before, @Nullable Comparable<?> bound, ColumnIndex.Order order) {
            if (before == null || bound == null) {
                return true;
            }
            int compared = ComparableBounds.compare(before, bound);
            return order == ColumnIndex.Order.ASCENDING ? compared <= 0 : compared >= 0;
        }

        private RangePruner.Known page(int page) {
            return new RangePruner.Known(leaf.type(), ranges.get(page), null);
        }
    }

    /// @param columns null for a column whose pages are unknown
    public static RowRanges rows(Expression filter, long rows, Function<String, @Nullable Pages> columns) {
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
            RangePruner.Known known = pages.page(i);
            if (RangePruner.mayPass(filter, _ -> known)) {
                passing.add(pages.places().firstRow(i), pages.places().endRow(i));
            }
        }
        return passing.build();
    }
}
