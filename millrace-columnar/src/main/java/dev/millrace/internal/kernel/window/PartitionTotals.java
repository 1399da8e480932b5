package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// The result of a group by for each partition, repeated for each of its rows.
final class PartitionTotals implements WindowColumn {
    /// The number of rows that are grouped at a time.
    private static final int CHUNK = 1 << 18;

    private final Allocator allocator;
    private final WindowPartitions.Cursor at;
    private final Block results;

    private PartitionTotals(Allocator allocator, WindowPartitions partitions, Block results) {
        this.allocator = allocator;
        this.at = partitions.cursor();
        this.results = results;
    }

    static PartitionTotals of(Allocator allocator, SortedRows rows, Aggregate aggregate) {
        WindowPartitions partitions = rows.partitions();
        GroupedBlocks grouping = new GroupedBlocks(List.of(key(aggregate)), List.of(aggregate.as("result")));
        WindowPartitions.Cursor numbering = partitions.cursor();
        List<Block> states = new ArrayList<>();
        try {
            int from = 0;
            do {
                int count = Math.min(CHUNK, partitions.rows() - from);
                try (Block chunk = chunk(allocator, rows, aggregate, numbering, from, count)) {
                    states.add(grouping.accumulate(allocator, chunk));
                }
                from += count;
            } while (from < partitions.rows());
            try (Block all = Blocks.concatenate(allocator, states)) {
                return new PartitionTotals(allocator, partitions, grouping.finish(allocator, all));
            }
        } finally {
            states.forEach(Block::close);
        }
    }

    private static String key(Aggregate aggregate) {
        return "partition".equals(aggregate.column()) ? "partition number" : "partition";
    }

    private static Block chunk(
            Allocator allocator,
            SortedRows rows,
            Aggregate aggregate,
            WindowPartitions.Cursor numbering,
            int from,
            int count) {
        List<Field> fields = new ArrayList<>(List.of(new Field(key(aggregate), DataType.INT32)));
        List<Column> columns = new ArrayList<>();
        if (aggregate.column() != null) {
            columns.add(rows.column(aggregate.column()).slice(from, count).retain());
            fields.add(new Field(aggregate.column(), columns.getFirst().type()));
        }
        try (ResourceScope scope = new ResourceScope()) {
            scope.addAll(columns);
            Buffer data = allocator.allocate(Math.max(1, (long) count * Integer.BYTES));
            for (int i = 0; i < count; i++) {
                numbering.move(from + i);
                data.segment().setAtIndex(JAVA_INT, i, numbering.partition());
            }
            columns.addFirst(new IntColumn(DataType.INT32, count, data, null, 0, 0));
            scope.keep();
        }
        return Block.of(Schema.of(fields), columns, count);
    }

    @Override
    public Column next(int from, int to) {
        int[] numbers = new int[to - from];
        for (int i = 0; i < numbers.length; i++) {
            at.move(from + i);
            numbers[i] = at.partition();
        }
        return GatherKernel.take(allocator, results.column(1), numbers, numbers.length);
    }

    @Override
    public void close() {
        results.close();
    }
}
