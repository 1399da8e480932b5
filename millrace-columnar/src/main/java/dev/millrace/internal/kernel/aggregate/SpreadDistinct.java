package dev.millrace.internal.kernel.aggregate;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.IntColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Aggregates over all rows with counts of different values, which need not fit into memory. The values of each counted
/// column are grouped by buckets of their hash, as if these were keys: equal values meet in one bucket, so the counts
/// of
/// the buckets add up. The states of the other aggregates go along, one for each task.
///
/// @param aggregates of all rows
public record SpreadDistinct(List<Aggregate> aggregates) implements Serializable {
    private static final String BUCKET = "bucket";

    public SpreadDistinct {
        aggregates = List.copyOf(aggregates);
    }

    /// Empty where no different values are counted.
    public static Optional<SpreadDistinct> of(List<Aggregate> aggregates) {
        return aggregates.stream().anyMatch(SpreadDistinct::isCount)
                ? Optional.of(new SpreadDistinct(aggregates))
                : Optional.empty();
    }

    private static boolean isCount(Aggregate aggregate) {
        return aggregate.function() == AggregateFunction.COUNT_DISTINCT;
    }

    /// The columns whose values are counted, each once.
    public List<String> columns() {
        return aggregates.stream()
                .filter(SpreadDistinct::isCount)
                .map(Aggregate::column)
                .distinct()
                .toList();
    }

    /// The aggregates beside the counts; may be none.
    public GroupedBlocks others() {
        return new GroupedBlocks(
                List.of(),
                aggregates.stream().filter(aggregate -> !isCount(aggregate)).toList());
    }

    /// A block with the columns alone that are used.
    public Block narrow(Block block) {
        return new GroupedBlocks(List.of(), aggregates).narrow(block);
    }

    private static GroupedBlocks byBucket(String bucket, String column) {
        return new GroupedBlocks(List.of(bucket), List.of(Aggregates.countDistinct(column)));
    }

    /// The different values of each bucket of some rows, as a block of bucket and list. The caller closes both.
    ///
    /// @param assign writes the bucket of each row
    public static Block values(Allocator allocator, Block rows, String column, Consumer<MemorySegment> assign) {
        Buffer buckets = allocator.allocate(Math.max(1, rows.rows() * Integer.BYTES));
        try {
            assign.accept(buckets.segment());
            String bucket = column.equals(BUCKET) ? BUCKET + " of it" : BUCKET;
            Schema schema = Schema.of(List.of(
                    new Field(bucket, DataType.INT32),
                    rows.schema().field(rows.schema().indexOf(column))));
            List<Column> columns = List.of(
                    new IntColumn(DataType.INT32, rows.rows(), buckets, null, 0, 0),
                    rows.column(rows.schema().indexOf(column)));
            try (Block bucketed = Block.sharing(schema, columns, rows.rows())) {
                return byBucket(bucket, column).accumulate(allocator, bucketed);
            }
        } finally {
            buckets.release();
        }
    }

    /// How many different values there are in all buckets of such blocks put together, in which buckets may come more
    /// than once.
    public static long count(Allocator allocator, Block values, String column) {
        try (Block merged = byBucket(BUCKET, column).mergeAll(allocator, values)) {
            ListColumn lists = (ListColumn) merged.column(1);
            long count = 0;
            for (long at = lists.first(); at < lists.first() + lists.extent(); at++) {
                count += lists.elements().isNull(at) ? 0 : 1;
            }
            return count;
        }
    }

    /// The one row.
    ///
    /// @param counts of [#columns], in their order
    /// @param states of [#others], one or more rows of them; null where there are none
    public Block result(Allocator allocator, long[] counts, Block states) {
        List<String> names = AggregateTypes.names(List.of(), aggregates);
        List<String> counted = columns();
        List<Column> columns = new ArrayList<>();
        List<Field> fields = new ArrayList<>();
        Block made = states == null ? Blocks.empty(Schema.empty()) : others().finish(allocator, states);
        try (made) {
            int other = 0;
            for (int i = 0; i < aggregates.size(); i++) {
                Aggregate aggregate = aggregates.get(i);
                columns.add(
                        isCount(aggregate)
                                ? Columns.ofLongs(allocator, counts[counted.indexOf(aggregate.column())])
                                : made.column(other++).retain());
                fields.add(new Field(names.get(i), columns.getLast().type()));
            }
            return Block.of(Schema.of(fields), columns, 1);
        } catch (RuntimeException | Error e) {
            columns.forEach(Column::release);
            throw e;
        }
    }

    /// The one row that there is without rows.
    ///
    /// @param input the columns of the rows, as far as they are known
    public Block ofNothing(Allocator allocator, Schema input) {
        return new GroupedBlocks(List.of(), aggregates).ofNothing(allocator, input);
    }
}
