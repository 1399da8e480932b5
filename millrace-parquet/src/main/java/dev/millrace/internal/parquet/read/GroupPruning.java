package dev.millrace.internal.parquet.read;

import dev.millrace.expression.Expression;
import dev.millrace.internal.parquet.format.ColumnChunk;
import dev.millrace.internal.parquet.format.ColumnIndex;
import dev.millrace.internal.parquet.format.OffsetIndex;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.prune.ColumnRange;
import dev.millrace.internal.parquet.prune.PagePruner;
import dev.millrace.internal.parquet.prune.RangePruner;
import dev.millrace.internal.parquet.prune.RowRanges;
import dev.millrace.internal.parquet.prune.StoredValue;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.type.DataType;
import io.airlift.compress.v3.xxhash.XxHash64Hasher;
import org.jspecify.annotations.Nullable;

/// Predicate pushdown for one file: which row groups, and which rows of one, may pass a filter, by statistics, bloom
/// filters and the page index.
///
/// @param columns resolves the filter's names
record GroupPruning(Expression filter, ReadColumns columns, FileSchema file, PageIndexUse pageIndex) {
    /// By the statistics in the footer.
    boolean mayPass(RowGroup group) {
        return RangePruner.mayPass(filter, name -> {
            if (isMissing(name)) {
                return new RangePruner.Known(columns.output().type(name), ColumnRange.ALL_NULL, null);
            }
            SchemaNode.Leaf leaf = leaf(name);
            if (leaf == null) {
                return null;
            }
            ColumnChunk chunk = group.columns().get(leaf.column());
            return RangePruner.Known.of(leaf, chunk.statistics(), group.rows());
        });
    }

    /// By the bloom filters.
    boolean mayContain(RowGroup group, FileBytes bytes) {
        return !hasBloomFilters(group)
                || RangePruner.mayPass(filter, name -> {
                    SchemaNode.Leaf leaf = leaf(name);
                    if (leaf == null) {
                        return null;
                    }
                    ColumnChunk chunk = group.columns().get(leaf.column());
                    if (chunk.bloomOffset() <= 0) {
                        return null;
                    }
                    return new RangePruner.Known(leaf.type(), ColumnRange.UNKNOWN, value -> {
                        byte[] stored = StoredValue.of(value, leaf);
                        if (stored == null) {
                            return true;
                        }
                        BloomFilter bloom = BloomFilter.open(bytes, chunk.bloomOffset(), chunk.bloomBytes());
                        return bloom == null || bloom.mayContain(XxHash64Hasher.hash(stored));
                    });
                });
    }

    private static boolean hasBloomFilters(RowGroup group) {
        for (ColumnChunk chunk : group.columns()) {
            if (chunk.bloomOffset() > 0) {
                return true;
            }
        }
        return false;
    }

    /// The rows that may pass, by the page index, if it is used.
    RowRanges rows(RowGroup group, PageIndex index) {
        if (!pageIndex.isWorthIt()) {
            return RowRanges.all(group.rows());
        }
        RowRanges passing = byPages(group, index);
        pageIndex.asked(passing.rows() < group.rows());
        return passing;
    }

    private RowRanges byPages(RowGroup group, PageIndex index) {
        return PagePruner.rows(filter, group.rows(), name -> {
            SchemaNode.Leaf leaf = leaf(name);
            if (leaf == null) {
                return null;
            }
            ColumnIndex ranges = index.ranges(leaf.column());
            OffsetIndex places = ranges == null ? null : index.places(leaf.column());
            return ranges == null || places == null ? null : PagePruner.Pages.of(leaf, ranges, places);
        });
    }

    private boolean isMissing(String name) {
        return !columns.constants().contains(name) && !file.schema().contains(name);
    }

    /// The leaf that a name of the filter refers to, if it is a plain column and statistics of the leaf's values also
    /// hold for the column's values.
    private SchemaNode.@Nullable Leaf leaf(String name) {
        int position = columns.constants().contains(name) ? -1 : file.schema().indexOf(name);
        return position >= 0
                        && file.columns().get(position) instanceof SchemaNode.Leaf leaf
                        && leaf.repetition() == 0
                        && !leaf.makesNulls()
                        && isAlike(leaf.type(), columns.output().type(name))
                ? leaf
                : null;
    }

    /// Whether values keep their order and stay distinct when they are widened.
    private static boolean isAlike(DataType stored, DataType wanted) {
        return stored.equals(wanted)
                || stored instanceof DataType.Int && wanted instanceof DataType.Int
                || stored instanceof DataType.Decimal && wanted instanceof DataType.Decimal
                || stored instanceof DataType.Timestamp && wanted instanceof DataType.Timestamp;
    }
}
