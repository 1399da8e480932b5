package dev.millrace.internal.kernel.aggregate;

import static java.util.Objects.requireNonNull;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.internal.kernel.aggregate.GlobalPart.Kind;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Aggregates over all rows, some of which have a state as large as the rows: lists, sets, counts of values and exact
/// quantiles. Those are composed of [GlobalPart]s, which need not fit into memory; the others have states as in any
/// group.
///
/// @param aggregates of all rows
public record GlobalAggregates(List<Aggregate> aggregates) implements Serializable {
    /// The names of the columns of [Kind#VALUES].
    public static final String VALUE = "value";

    public static final String COUNT = "count";
    public static final String PLACE = "place";

    /// The state of each value: its count, and its first position.
    public static final GroupedBlocks BY_VALUE = new GroupedBlocks(
            List.of(VALUE),
            List.of(Aggregates.count().as(COUNT), Aggregates.min(PLACE).as(PLACE)));

    /// The same without the position, which is that of the state in the order of states.
    public static final GroupedBlocks COUNTED =
            new GroupedBlocks(List.of(VALUE), List.of(Aggregates.count().as(COUNT)));

    public GlobalAggregates {
        aggregates = List.copyOf(aggregates);
    }

    /// Whether aggregates over all rows include such ones.
    public static boolean areAmong(List<Aggregate> aggregates) {
        return aggregates.stream().anyMatch(aggregate -> kindOf(aggregate) != Kind.STATES);
    }

    private static Kind kindOf(Aggregate aggregate) {
        return switch (aggregate.function()) {
            case LIST -> Kind.LIST;
            case QUANTILE -> Kind.QUANTILES;
            case SET -> Kind.SET;
            case VALUE_COUNTS -> Kind.VALUE_COUNTS;
            case COUNT_DISTINCT -> Kind.VALUES;
            case COUNT,
                    COUNT_IF,
                    SUM,
                    MEAN,
                    MIN,
                    MAX,
                    STD,
                    VARIANCE,
                    FIRST,
                    LAST,
                    ANY,
                    ALL,
                    APPROXIMATE_COUNT_DISTINCT,
                    APPROXIMATE_QUANTILE,
                    APPROXIMATE_QUANTILES,
                    APPROXIMATE_TOP_K,
                    MISSING_PERCENTAGE,
                    ZERO_PERCENTAGE,
                    DEFINED -> Kind.STATES;
        };
    }

    private static GlobalPart partOf(Aggregate aggregate) {
        Kind kind = kindOf(aggregate);
        return new GlobalPart(kind, kind == Kind.STATES ? null : aggregate.column());
    }

    /// All parts, in a fixed order, which gives their numbers. Parts that are computed from the values of a column come
    /// after these.
    public List<GlobalPart> parts() {
        List<GlobalPart> parts = new ArrayList<>();
        for (Aggregate aggregate : aggregates) {
            GlobalPart part = partOf(aggregate);
            if (part.kind() == Kind.SET || part.kind() == Kind.VALUE_COUNTS) {
                add(parts, new GlobalPart(Kind.VALUES, part.column()));
            }
            add(parts, part);
        }
        return parts;
    }

    private static void add(List<GlobalPart> parts, GlobalPart part) {
        if (!parts.contains(part)) {
            parts.add(part);
        }
    }

    /// Whether the values of a column are part of the result, not only their number.
    public boolean givesValues(String column) {
        return aggregates.stream()
                .anyMatch(aggregate -> column.equals(aggregate.column())
                        && (kindOf(aggregate) == Kind.SET || kindOf(aggregate) == Kind.VALUE_COUNTS));
    }

    /// The requested quantiles of a column, ascending, each once.
    public List<Double> quantiles(String column) {
        return aggregates.stream()
                .filter(aggregate -> partOf(aggregate).equals(new GlobalPart(Kind.QUANTILES, column)))
                .map(aggregate -> aggregate.arguments().getFirst())
                .distinct()
                .sorted()
                .toList();
    }

    /// The aggregates of [Kind#STATES]; may be none.
    public GroupedBlocks others() {
        return new GroupedBlocks(
                List.of(),
                aggregates.stream()
                        .filter(aggregate -> kindOf(aggregate) == Kind.STATES)
                        .toList());
    }

    /// A block of one column of some rows, without a dictionary, as [#VALUE]. The caller closes both.
    public Block values(Allocator allocator, Block rows, String column) {
        AggregateTypes.result(rows.schema(), List.of(), aggregates);
        Column stored = rows.column(column);
        Column plain = WidenKernel.to(allocator, stored, AccumulatorFunctions.plain(stored.type()));
        return Block.of(Schema.of(List.of(new Field(VALUE, plain.type()))), List.of(plain), rows.rows());
    }

    /// All aggregates as those of one group: the states that are computed before the shuffle.
    public GroupedBlocks grouped() {
        return new GroupedBlocks(List.of(), aggregates);
    }

    /// The states of [#others] among states of [#grouped]. The caller closes both.
    public Block statesOfOthers(Block states) {
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        int at = 0;
        for (Aggregate aggregate : aggregates) {
            int width = AccumulatorFunctions.width(aggregate);
            for (int i = at; i < at + width && kindOf(aggregate) == Kind.STATES; i++) {
                fields.add(states.schema().field(i));
                columns.add(states.column(i));
            }
            at += width;
        }
        return Block.sharing(Schema.of(fields), columns, states.rows());
    }

    /// The counted values of a column among states of [#grouped], as states of [#COUNTED]. The caller closes both.
    public Block statesOfValues(Block states, String column) {
        int at = 0;
        for (Aggregate aggregate : aggregates) {
            if (aggregate.function() == AggregateFunction.VALUE_COUNTS && column.equals(aggregate.column())) {
                break;
            }
            at += AccumulatorFunctions.width(aggregate);
        }
        ListColumn values = (ListColumn) states.column(at);
        ListColumn counts = (ListColumn) states.column(at + 1);
        List<Column> columns = List.of(
                values.elements().slice(values.first(), values.extent()),
                counts.elements().slice(counts.first(), counts.extent()));
        return Block.sharing(
                Schema.of(List.of(new Field("key 0", columns.getFirst().type()), new Field("state 1", DataType.INT64))),
                columns,
                values.extent());
    }

    /// States of [#COUNTED] with their positions: states of [#BY_VALUE]. The caller closes both.
    ///
    /// @param first the position of the first
    public static Block placed(Allocator allocator, Block states, long first) {
        long[] places = new long[Math.toIntExact(states.rows())];
        for (int i = 0; i < places.length; i++) {
            places[i] = first + i;
        }
        List<Field> fields = new ArrayList<>(states.schema().fields());
        fields.add(new Field("state 2", DataType.INT64));
        List<Column> columns = new ArrayList<>(states.columns());
        Column column = Columns.ofLongs(allocator, places);
        try {
            columns.add(column);
            return Block.sharing(Schema.of(fields), columns, states.rows());
        } finally {
            column.release();
        }
    }

    /// The single result row.
    ///
    /// @param made for each of [#parts] its blocks
    /// @param input the columns of the rows, null if they are not known: needed for results over no rows
    public Block result(Allocator allocator, List<List<Block>> made, @Nullable Schema input) {
        List<String> names = AggregateTypes.names(List.of(), aggregates);
        List<Field> nothing = input == null
                ? null
                : AggregateTypes.result(input, List.of(), aggregates).fields();
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            int other = 0;
            for (int i = 0; i < aggregates.size(); i++) {
                Aggregate aggregate = aggregates.get(i);
                int place = kindOf(aggregate) == Kind.STATES ? other++ : 0;
                Column column = column(allocator, aggregate, place, made);
                columns.add(
                        column != null
                                ? column
                                : AccumulatorFunctions.ofNothing(
                                        allocator,
                                        aggregate,
                                        nothing == null
                                                ? DataType.NULL
                                                : nothing.get(i).type()));
                fields.add(new Field(names.get(i), columns.getLast().type()));
            }
            return scope.keep(Block.of(Schema.of(fields), columns, 1));
        }
    }

    /// Null if there were no rows.
    private @Nullable Column column(Allocator allocator, Aggregate aggregate, int place, List<List<Block>> made) {
        if (aggregate.function() == AggregateFunction.COUNT_DISTINCT) {
            String column = requireNonNull(aggregate.column(), "values of a column are counted");
            return distinct(allocator, column, made);
        }
        List<Block> blocks = made.get(parts().indexOf(partOf(aggregate)));
        return switch (aggregate.function()) {
            case QUANTILE -> quantile(blocks, aggregate.arguments().getFirst());
            default -> blocks.isEmpty() ? null : blocks.getFirst().column(place).retain();
        };
    }

    private static @Nullable Column quantile(List<Block> blocks, double quantile) {
        for (Block block : blocks) {
            if (((DoubleColumn) block.column(0)).get(0) == quantile) {
                return block.column(1).retain();
            }
        }
        return null;
    }

    /// Taken from the part computed from the values, if there is one, or from the values.
    private Column distinct(Allocator allocator, String column, List<List<Block>> made) {
        long count = 0;
        List<GlobalPart> parts = parts();
        for (Kind kind : List.of(Kind.SET, Kind.VALUE_COUNTS, Kind.VALUES)) {
            int number = parts.indexOf(new GlobalPart(kind, column));
            List<Block> blocks = number < 0 ? List.of() : made.get(number);
            for (Block block : blocks) {
                LongColumn counts = (LongColumn) block.column(block.schema().size() - 1);
                for (long row = 0; row < block.rows(); row++) {
                    count += counts.get(row);
                }
            }
            if (!blocks.isEmpty()) {
                break;
            }
        }
        return Columns.ofLongs(allocator, count);
    }
}
