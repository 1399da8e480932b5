package dev.millrace.internal.parquet.read;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.internal.expression.BoundExpression;
import dev.millrace.internal.kernel.Gather;
import dev.millrace.internal.kernel.Selection;
import dev.millrace.internal.parquet.format.Malformed;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.prune.Pruner;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadContext;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Reads some row groups of one file. With a filter, its columns are decoded first, and the others only where a row
/// passed. One thread.
final class FilePartReader implements AutoCloseable {
    private static final int MOST_ROWS = 1 << 16;

    private final ReadPlan plan;
    private final FilePart part;
    private final Decompressor decompressor;
    private final Allocator allocator;
    private final long chunkBytes;
    private final FileConstants constants;
    private final ReadColumns filterColumns;
    private final ReadColumns otherColumns;
    private final BoundExpression filter;

    private final FileBytes bytes;
    private final FileSchema columns;
    private final List<RowGroup> groups;
    /// Whether row groups are still to be held against the filter.
    private final boolean prunes;

    private final List<SchemaNode> filterNodes;
    private final List<SchemaNode> otherNodes;

    private int next;
    private RowGroupReader filterReader;
    private RowGroupReader otherReader;
    private long left;
    private int chunkRows;

    FilePartReader(FilePart part, ReadPlan plan, Decompressor decompressor, ReadContext context) {
        this.part = part;
        this.plan = plan;
        this.decompressor = decompressor;
        this.allocator = context.allocator();
        this.chunkBytes = context.chunkBytes();
        this.constants = FileConstants.of(part.file(), plan.hive());
        this.filterColumns = plan.filterColumns();
        this.otherColumns = plan.otherColumns();
        this.filter = plan.filter() == null ? null : BoundExpression.bind(plan.filter(), filterColumns.output());
        this.bytes = FileBytes.open(part.file(), allocator);
        try {
            if (part.columns() == null) {
                Footer footer = Footer.read(bytes);
                columns = footer.columns();
                groups = footer.metadata().rowGroups();
                prunes = plan.filter() != null;
            } else {
                columns = part.columns();
                groups = part.groups();
                prunes = false;
            }
            filterNodes = filterColumns.nodes(columns, part.file());
            otherNodes = otherColumns.nodes(columns, part.file());
        } catch (RuntimeException | Error e) {
            bytes.close();
            throw e;
        }
    }

    String file() {
        return part.file();
    }

    /// The next rows, or null at the end of the part.
    Block next() {
        while (true) {
            if (left == 0) {
                closeGroup();
                if (next == groups.size()) {
                    return null;
                }
                RowGroup group = groups.get(next++);
                if (!prunes || Pruner.mayPass(plan.filter(), columns, group)) {
                    openGroup(group);
                }
                continue;
            }
            int rows = (int) Math.min(left, chunkRows);
            Block chunk = located(() -> chunk(rows));
            left -= rows;
            if (chunk.rows() > 0) {
                return chunk;
            }
            chunk.close();
        }
    }

    private void openGroup(RowGroup group) {
        left = group.rows();
        if (left == 0) {
            return;
        }
        located(() -> {
            filterReader = new RowGroupReader(bytes, group, filterNodes, decompressor, allocator);
            otherReader = new RowGroupReader(bytes, group, otherNodes, decompressor, allocator);
            return null;
        });
        List<SchemaNode> all = new ArrayList<>(filterNodes);
        all.addAll(otherNodes);
        chunkRows = all.isEmpty()
                ? Integer.MAX_VALUE
                : (int) Math.clamp((long) (chunkBytes / MemoryEstimate.perRow(group, all)), 1, MOST_ROWS);
    }

    private Block chunk(int rows) {
        if (filter == null) {
            return otherColumns.conform(allocator, otherReader.read(rows), constants);
        }
        try (Block tested = filterColumns.conform(allocator, filterReader.read(rows), constants)) {
            Selection selection = filter.select(tested, allocator);
            if (selection.isEmpty()) {
                otherReader.skip(rows);
                return Blocks.empty(plan.schema());
            }
            try (Block others = otherColumns.conform(allocator, otherReader.read(rows), constants)) {
                return chosen(tested, others, selection);
            }
        }
    }

    private Block chosen(Block tested, Block others, Selection selection) {
        Schema schema = plan.schema();
        List<Column> made = new ArrayList<>();
        try {
            for (Field field : schema.fields()) {
                int position = tested.schema().indexOf(field.name());
                Column column = position >= 0 ? tested.column(position) : others.column(field.name());
                made.add(Gather.take(allocator, column, selection));
            }
            return Block.of(schema, made, selection.count());
        } catch (RuntimeException | Error e) {
            made.forEach(Column::release);
            throw e;
        }
    }

    /// Says which row group it was.
    private <T> T located(ParquetReader.Work<T> work) {
        try {
            return work.run();
        } catch (Malformed e) {
            int number = part.numbers() == null ? next - 1 : part.numbers()[next - 1];
            throw new Malformed("row group " + number + ", " + e.getMessage(), e);
        }
    }

    private void closeGroup() {
        if (filterReader != null) {
            filterReader.close();
            filterReader = null;
        }
        if (otherReader != null) {
            otherReader.close();
            otherReader = null;
        }
    }

    @Override
    public void close() {
        closeGroup();
        bytes.close();
    }
}
