package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.internal.kernel.Selection;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.internal.source.FileConstants;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The rows of one row group that pass a filter and are not deleted. First the columns that a part of the filter looks
/// at alone are tested;
/// of the others only the rows that are left are read; last comes what is left of the filter. One thread.
final class FilteredRows implements AutoCloseable {
    private final ReadPlan plan;
    private final RowGroupReader group;
    private final FileConstants constants;
    private final Allocator allocator;
    /// By rows of the group; null: none is.
    private final DeletedRows deleted;

    private final List<ColumnTest> tests = new ArrayList<>();
    /// What no single column decides, over the columns it needs; null: nothing.
    private final BoundExpression rest;

    private final ReadColumns restColumns;
    /// The rows that pass, counted from the chunk's first, and those of the piece that is tested, from the piece's.
    private final int[] positions;

    private final int[] inPiece;
    /// Rows of a chunk.
    private final int most;

    private final SpareArrays spare;
    private int consumed;

    /// @param group reads every column that the output or the filter needs
    /// @param most rows of a chunk
    FilteredRows(
            ReadPlan plan,
            RowGroupReader group,
            FileConstants constants,
            DeletedRows deleted,
            SpareArrays spare,
            Allocator allocator,
            int most) {
        this.plan = plan;
        this.group = group;
        this.constants = constants;
        this.deleted = deleted;
        this.allocator = allocator;
        this.spare = spare;
        this.most = most;
        this.positions = spare.ints(most);
        this.inPiece = spare.ints(most);
        Map<String, FieldReader> fields = new LinkedHashMap<>();
        group.fields().forEach(field -> fields.put(field.node().name(), field));
        Map<String, Expression> ofOne = new LinkedHashMap<>();
        Expression others = null;
        for (Expression part :
                plan.filter() == null ? List.<Expression>of() : plan.filter().conjuncts()) {
            FieldReader field = part.columns().size() == 1
                    ? fields.get(part.columns().iterator().next())
                    : null;
            if (field != null && isTestable(field)) {
                ofOne.merge(field.node().name(), part, Expression::and);
            } else {
                others = others == null ? part : others.and(part);
            }
        }
        ofOne.forEach((name, part) -> tests.add(new ColumnTest(fields.get(name), part, most, spare, allocator)));
        restColumns = others == null ? null : plan.seenBy(others);
        rest = others == null ? null : BoundExpression.bind(others, restColumns.output());
    }

    /// A plain column whose type in this file is the one that the filter was written for.
    private boolean isTestable(FieldReader field) {
        return field.node() instanceof SchemaNode.Leaf leaf
                && leaf.repetition() == 0
                && leaf.type().equals(plan.all().output().type(leaf.name()));
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

    /// How many rows the last [#next] went over.
    int consumed() {
        return consumed;
    }

    /// What passes of the next rows, `limit` of them or fewer; possibly nothing. Pages whose indices tell which rows pass
    /// are tested one after the other until there are about as many rows as a chunk may have.
    Block next(int limit) {
        consumed = 0;
        tests.forEach(ColumnTest::begin);
        int count = 0;
        int enough = most - most / 8;
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
            return Blocks.empty(plan.schema());
        }
        return finish(columns(consumed, count == consumed ? Selection.all(consumed) : Selection.of(positions, count)));
    }

    /// Whether the next rows of all tested columns are indices.
    private boolean areIndexed() {
        boolean indexed = !tests.isEmpty();
        for (ColumnTest test : tests) {
            indexed &= RowGroupReader.located(test.field().node(), test::isIndexed);
        }
        return indexed;
    }

    /// Tests as many of the next `limit` rows as can be at once; returns how many pass. They stand in `positions`, behind
    /// the `before` that are there.
    private int piece(int limit, int before) {
        int rows = limit;
        for (ColumnTest test : tests) {
            rows = test.rows(rows);
        }
        int count = rows;
        if (tests.isEmpty()) {
            for (int i = 0; i < rows; i++) {
                inPiece[i] = i;
            }
        }
        for (ColumnTest test : tests) {
            int all = rows;
            int left = count;
            // Every test consumes its rows, also when none are left: the columns go in step.
            count = RowGroupReader.located(test.field().node(), () -> test.test(all, inPiece, left));
        }
        count = withoutDeleted(group.position(), count);
        for (ColumnTest test : tests) {
            if (isUsed(test.name())) {
                test.choose(inPiece, count);
            }
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
                RowGroupReader.located(field.node(), () -> {
                    field.skip(rows);
                    return null;
                });
            }
        }
    }

    private ColumnTest testOf(FieldReader field) {
        for (ColumnTest test : tests) {
            if (test.field() == field) {
                return test;
            }
        }
        return null;
    }

    /// The chosen rows of every column, as the file has them.
    private Block columns(int rows, Selection selection) {
        List<Column> made = new ArrayList<>();
        List<Field> fields = new ArrayList<>();
        try {
            for (FieldReader field : group.fields()) {
                ColumnTest test = testOf(field);
                if (test != null && !isUsed(test.name())) {
                    continue;
                }
                fields.add(new Field(field.node().name(), field.node().type()));
                made.add(RowGroupReader.located(
                        field.node(), () -> test == null ? field.read(rows, selection) : test.take(selection)));
            }
            return Block.of(Schema.of(fields), made, selection.count());
        } catch (RuntimeException | Error e) {
            made.forEach(Column::release);
            throw e;
        }
    }

    /// Whether the column is used once it has been tested.
    private boolean isUsed(String column) {
        return plan.schema().contains(column)
                || restColumns != null && restColumns.output().contains(column);
    }

    private Block finish(Block data) {
        if (rest == null) {
            return plan.output().conform(allocator, data, constants);
        }
        Block kept;
        try (data;
                Block seen = restColumns.conform(allocator, data.retain(), constants)) {
            kept = Blocks.take(allocator, data, rest.select(seen, allocator));
        }
        return plan.output().conform(allocator, kept, constants);
    }

    @Override
    public void close() {
        tests.forEach(ColumnTest::close);
        spare.giveBack(positions);
        spare.giveBack(inPiece);
        group.close();
    }
}
