package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.internal.source.FileConstants;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the rows of one row group that pass a filter and are not deleted (late materialisation). First the columns
/// with a part of the filter of their own are tested; of the other columns only the remaining rows are read; the rest
/// of the filter comes last. One thread.
final class FilteredRows implements AutoCloseable {
    private final ParquetReadPlan plan;
    private final RowGroupReader group;
    private final FileConstants constants;
    private final Allocator allocator;
    /// By row number in the group; null if none is deleted.
    private final @Nullable DeletedRows deleted;

    private final FilterParts filter;
    private final ColumnTest[] tests;
    /// The rows that pass, relative to the chunk's first row, and those of the piece being tested, relative to the
    /// piece's first row.
    private final int[] positions;

    private final int[] inPiece;
    /// The maximum number of rows of a chunk.
    private final int most;

    private final SpareArrays spare;
    private int consumed;
    /// The column that is being read, for errors; null if none is.
    private @Nullable SchemaNode at;

    /// @param group reads every column that the output or the filter needs
    /// @param most the maximum number of rows of a chunk
    FilteredRows(
            ParquetReadPlan plan,
            FilterParts filter,
            RowGroupReader group,
            FileConstants constants,
            @Nullable DeletedRows deleted,
            SpareArrays spare,
            Allocator allocator,
            int most) {
        this.plan = plan;
        this.filter = filter;
        this.group = group;
        this.constants = constants;
        this.deleted = deleted;
        this.allocator = allocator;
        this.spare = spare;
        this.most = most;
        this.positions = spare.ints(most);
        this.inPiece = spare.ints(most);
        this.tests = new ColumnTest[filter.columns().size()];
        for (int i = 0; i < tests.length; i++) {
            FilterParts.OfColumn part = filter.columns().get(i);
            tests[i] = new ColumnTest(group.fields().get(part.field()), part, most, spare, allocator);
        }
    }

    /// Whether a column's dictionary shows that no row passes.
    boolean isHopeless() {
        for (ColumnTest test : tests) {
            SchemaNode.Leaf leaf = (SchemaNode.Leaf) test.field().node();
            if (group.chunk(leaf).onlyDictionary() && RowGroupReader.located(leaf, test::passesNothing)) {
                return true;
            }
        }
        return false;
    }

    /// The number of rows that the last [#next] consumed.
    int consumed() {
        return consumed;
    }

    /// The rows that pass among at most the next `limit` rows; possibly none. Dictionary-encoded pages are tested one
    /// after the other until there are about as many rows as a chunk may have.
    Block next(int limit) {
        Block passing;
        try {
            passing = passing(limit);
        } catch (MalformedParquet | IndexOutOfBoundsException | ArithmeticException e) {
            throw at == null ? e : RowGroupReader.located(at, e);
        }
        return passing == null ? Blocks.empty(plan.schema()) : finish(passing);
    }

    /// The columns of the rows that pass the single-column parts; null if there are none.
    private @Nullable Block passing(int limit) {
        consumed = 0;
        for (ColumnTest test : tests) {
            test.begin();
        }
        int count = 0;
        int enough = most - most / 16;
        boolean more = true;
        while (more && consumed < limit && count < enough) {
            boolean indexed = areIndexed();
            if (!indexed && consumed > 0) {
                break;
            }
            count += piece(Math.min(limit - consumed, most - count), count);
            more = indexed;
        }
        if (count == 0) {
            skipOthers(consumed);
            return null;
        }
        return columns(
                consumed, count == consumed ? SelectionVector.all(consumed) : SelectionVector.of(positions, count));
    }

    /// Whether the next rows of all tested columns are dictionary indices.
    private boolean areIndexed() {
        boolean indexed = tests.length > 0;
        for (ColumnTest test : tests) {
            at = test.field().node();
            indexed &= test.isIndexed();
        }
        return indexed;
    }

    /// Tests as many of the next `limit` rows as can be tested at once; returns how many pass. These are appended to
    /// `positions`, which has `before` entries.
    private int piece(int limit, int before) {
        int rows = limit;
        for (ColumnTest test : tests) {
            rows = test.rows(rows);
        }
        int count = rows;
        if (tests.length == 0) {
            for (int i = 0; i < rows; i++) {
                inPiece[i] = i;
            }
        }
        for (ColumnTest test : tests) {
            at = test.field().node();
            // Every test consumes its rows, even if none are left: the columns stay in step.
            count = test.test(rows, inPiece, count);
        }
        at = null;
        count = withoutDeleted(group.position(), count);
        for (ColumnTest test : tests) {
            test.choose(inPiece, count);
        }
        shift(inPiece, count, consumed, positions, before);
        group.advanced(rows);
        consumed += rows;
        return count;
    }

    private static void shift(int[] positions, int count, int by, int[] target, int to) {
        for (int i = 0; i < count; i++) {
            target[to + i] = positions[i] + by;
        }
    }

    private int withoutDeleted(long first, int count) {
        if (deleted == null) {
            return count;
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int position = inPiece[i];
            inPiece[kept] = position;
            kept += deleted.isDeleted(first + position) ? 0 : 1;
        }
        return kept;
    }

    private void skipOthers(int rows) {
        for (FieldReader field : group.fields()) {
            if (testOf(field) == null) {
                at = field.node();
                field.skip(rows);
            }
        }
    }

    private @Nullable ColumnTest testOf(FieldReader field) {
        for (ColumnTest test : tests) {
            if (test.field() == field) {
                return test;
            }
        }
        return null;
    }

    /// The chosen rows of every column, with the types of the file.
    private Block columns(int rows, SelectionVector selection) {
        List<Column> made = new ArrayList<>();
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            scope.addAll(made);
            for (FieldReader field : group.fields()) {
                ColumnTest test = testOf(field);
                if (test == null || test.isUsed()) {
                    at = field.node();
                    fields.add(new Field(at.name(), at.type()));
                    made.add(test == null ? field.read(rows, selection) : test.take(selection));
                }
            }
            at = null;
            return scope.keep(Block.of(Schema.of(fields), made, selection.count()));
        }
    }

    private Block finish(Block data) {
        FilterParts.Rest rest = filter.rest();
        if (rest == null) {
            return plan.output().conform(allocator, data, constants);
        }
        Block kept;
        try (data;
                Block seen = rest.columns().conform(allocator, data.retain(), constants)) {
            kept = Blocks.take(allocator, data, rest.condition().select(seen, allocator));
        }
        return plan.output().conform(allocator, kept, constants);
    }

    @Override
    public void close() {
        for (ColumnTest test : tests) {
            test.close();
        }
        spare.giveBack(positions);
        spare.giveBack(inPiece);
        group.close();
    }
}
