package dev.millrace.internal.kernel.aggregate;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
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

/// Aggregates over all rows with a count of the different values of one column, which need not fit into memory. Rows are
/// grouped by a bucket of that column's hash, as if it were a key: equal values meet in one bucket, so the counts of the
/// buckets add up, and so do the states of the other aggregates.
///
/// @param aggregates of all rows
/// @param column whose values are counted
public record SpreadDistinct(List<Aggregate> aggregates, String column) implements Serializable {
    public SpreadDistinct {
        aggregates = List.copyOf(aggregates);
    }

    /// Empty where the aggregates cannot be computed so, or need not.
    public static Optional<SpreadDistinct> of(List<Aggregate> aggregates) {
        List<String> counted = aggregates.stream()
                .filter(aggregate -> aggregate.function() == AggregateFunction.COUNT_DISTINCT)
                .map(Aggregate::column)
                .distinct()
                .toList();
        return counted.size() == 1 && aggregates.stream().allMatch(SpreadDistinct::addsUp)
                ? Optional.of(new SpreadDistinct(aggregates, counted.getFirst()))
                : Optional.empty();
    }

    /// Whether states are small and may be merged in any order.
    private static boolean addsUp(Aggregate aggregate) {
        return switch (aggregate.function()) {
            case COUNT,
                    SUM,
                    MEAN,
                    STD,
                    VARIANCE,
                    MIN,
                    MAX,
                    ANY,
                    ALL,
                    COUNT_DISTINCT,
                    MISSING_PERCENTAGE,
                    ZERO_PERCENTAGE -> true;
            case FIRST,
                    LAST,
                    LIST,
                    SET,
                    QUANTILE,
                    APPROXIMATE_COUNT_DISTINCT,
                    APPROXIMATE_QUANTILE,
                    APPROXIMATE_QUANTILES,
                    APPROXIMATE_TOP_K,
                    VALUE_COUNTS,
                    DEFINED -> false;
        };
    }

    /// What the states of [#counts] are states of: the same columns, with counts that are added.
    public GroupedBlocks counted() {
        List<String> names = AggregateTypes.names(List.of(), aggregates);
        List<Aggregate> added = new ArrayList<>();
        for (int i = 0; i < aggregates.size(); i++) {
            Aggregate aggregate = aggregates.get(i);
            boolean distinct = aggregate.function() == AggregateFunction.COUNT_DISTINCT;
            added.add((distinct ? Aggregates.count() : aggregate).as(names.get(i)));
        }
        return new GroupedBlocks(List.of(), added);
    }

    /// A block with the columns alone that are used.
    public Block narrow(Block block) {
        return new GroupedBlocks(List.of(), aggregates).narrow(block);
    }

    /// The states of the buckets of some rows: the first column is the bucket. The caller closes both.
    ///
    /// @param assign writes the bucket of each row
    public Block accumulate(Allocator allocator, Block rows, Consumer<MemorySegment> assign) {
        Buffer buckets = allocator.allocate(Math.max(1, rows.rows() * Integer.BYTES));
        try {
            assign.accept(buckets.segment());
            String bucket = bucketName(rows.schema());
            List<Field> fields = new ArrayList<>(rows.schema().fields());
            fields.add(new Field(bucket, DataType.INT32));
            List<Column> columns = new ArrayList<>(rows.columns());
            columns.add(new IntColumn(DataType.INT32, rows.rows(), buckets, null, 0, 0));
            try (Block bucketed = Block.sharing(Schema.of(fields), columns, rows.rows())) {
                return new GroupedBlocks(List.of(bucket), aggregates).accumulate(allocator, bucketed);
            }
        } finally {
            buckets.release();
        }
    }

    private static String bucketName(Schema schema) {
        String name = "bucket";
        while (schema.contains(name)) {
            name += "'";
        }
        return name;
    }

    /// States of buckets, of which each may come more than once, as states of [#counted], a row for each bucket.
    public Block counts(Allocator allocator, Block states) {
        try (Block merged = new GroupedBlocks(List.of("bucket"), aggregates).mergeAll(allocator, states)) {
            List<Column> columns = new ArrayList<>();
            List<Field> fields = new ArrayList<>();
            try {
                int at = 1;
                for (Aggregate aggregate : aggregates) {
                    for (int i = 0; i < StateFunctions.width(aggregate); i++) {
                        Column state = merged.column(at++);
                        columns.add(
                                aggregate.function() == AggregateFunction.COUNT_DISTINCT
                                        ? StateFunctions.sizes(allocator, (ListColumn) state)
                                        : state.retain());
                        fields.add(new Field("state " + fields.size(), columns.getLast().type()));
                    }
                }
                return Block.of(Schema.of(fields), columns, merged.rows());
            } catch (RuntimeException | Error e) {
                columns.forEach(Column::release);
                throw e;
            }
        }
    }
}
