package dev.millrace.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.RandomValues;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.aggregate.GroupRun;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.internal.kernel.join.JoinHashTable;
import dev.millrace.internal.kernel.join.JoinKeys;
import dev.millrace.internal.kernel.join.KeyForm;
import dev.millrace.internal.kernel.sort.RowOrder;
import dev.millrace.internal.kernel.window.WindowBlocks;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.SortKey;
import dev.millrace.testing.LeakCheck;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import dev.millrace.window.WindowFunctions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Kernels whose memory is refused at each request in turn: whichever it is, nothing stays held.
class RefusedMemoryTest {
    private static final int ROWS = 80;

    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    private final RandomValues random = new RandomValues(new Random(11));

    interface Kernel {
        /// Releases what it made.
        void run(Allocator allocator) throws Exception;
    }

    /// Runs a kernel with ever more memory, until there is enough.
    private static void sweep(String what, Kernel kernel) {
        boolean done = false;
        for (long limit = 512; !done; limit += 512) {
            try (Allocator allocator = Allocator.root("kernel", limit)) {
                try {
                    kernel.run(allocator);
                    done = true;
                } catch (MillraceException e) {
                    assertThat(e.culprit()).as("%s: %s", what, e).isEqualTo(Culprit.RESOURCES);
                } catch (Exception e) {
                    throw new AssertionError(what + " with " + limit + " bytes", e);
                }
                assertThat(allocator.heldBytes())
                        .as("%s with %s bytes", what, limit)
                        .isZero();
            } catch (IllegalStateException e) {
                throw new AssertionError(what + " with " + limit + " bytes", e);
            }
        }
    }

    /// Two keys with few values, and a column of each type.
    private Block rows() {
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        Random few = new Random(3);
        fields.add(new Field("k", DataType.INT64));
        columns.add(random.column(
                memory.allocator(),
                DataType.INT64,
                IntStream.range(0, ROWS)
                        .<Object>mapToObj(_ -> (long) few.nextInt(9))
                        .toList()));
        fields.add(new Field("t", DataType.UTF8));
        columns.add(random.column(
                memory.allocator(),
                DataType.UTF8,
                IntStream.range(0, ROWS)
                        .<Object>mapToObj(_ -> "text " + few.nextInt(7))
                        .toList()));
        for (DataType type : RandomValues.types()) {
            fields.add(new Field(type.toString(), type));
            columns.add(random.column(memory.allocator(), type, random.values(type, ROWS, true)));
        }
        return Block.of(Schema.of(fields), columns, ROWS);
    }

    static List<DataType> types() {
        return RandomValues.types();
    }

    @ParameterizedTest
    @MethodSource("types")
    void movesOfEachType(DataType type) {
        Column column = random.column(memory.allocator(), type, random.values(type, ROWS, true));
        int[] positions = new Random(5).ints(200, 0, ROWS).toArray();
        sweep(
                "take",
                allocator -> GatherKernel.take(allocator, column, positions, positions.length)
                        .release());
        sweep(
                "concatenate",
                allocator -> ConcatenateKernel.columns(allocator, List.of(column, column))
                        .release());
        sweep("compact", allocator -> CompactKernel.column(allocator, column).release());
        column.release();
    }

    static List<Aggregate> aggregates() {
        List<Aggregate> all = new ArrayList<>(List.of(
                Aggregates.count(),
                Aggregates.sum("int32"),
                Aggregates.mean("float64"),
                Aggregates.std("int32"),
                Aggregates.min("utf8"),
                Aggregates.max("float64"),
                Aggregates.any("bool"),
                Aggregates.all("bool"),
                Aggregates.quantile("float64", 0.5),
                Aggregates.approximateQuantile("float64", 0.5),
                Aggregates.approximateCountDistinct("utf8"),
                Aggregates.approximateTopK("utf8", 3),
                Aggregates.missingPercentage("utf8"),
                Aggregates.zeroPercentage("int64")));
        for (String column : List.of("int64", "utf8")) {
            all.add(Aggregates.first(column));
            all.add(Aggregates.last(column));
            all.add(Aggregates.list(column));
            all.add(Aggregates.set(column));
            all.add(Aggregates.countDistinct(column));
            all.add(Aggregates.valueCounts(column));
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("aggregates")
    void groups(Aggregate aggregate) {
        try (Block rows = rows()) {
            for (List<String> keys : List.of(List.<String>of(), List.of("k", "t"))) {
                GroupedBlocks grouping = new GroupedBlocks(keys, List.of(aggregate, Aggregates.sum("int8")));
                sweep(aggregate + " by " + keys, allocator -> {
                    try (Block states = grouping.accumulate(allocator, rows);
                            Block merged = grouping.merge(allocator, states)) {
                        grouping.finish(allocator, merged).close();
                    }
                });
                if (GroupRun.isFor(grouping, rows.schema())) {
                    sweep(aggregate + " on by " + keys, allocator -> {
                        try (GroupRun run = new GroupRun(allocator, grouping, 1 << 20)) {
                            run.add(rows, Block::close);
                            run.add(rows, Block::close);
                            run.flush(Block::close);
                        }
                    });
                }
            }
        }
    }

    static List<WindowFunction> windows() {
        return List.of(
                WindowFunctions.rowNumber(),
                WindowFunctions.rank(),
                WindowFunctions.cumeDist(),
                WindowFunctions.ntile(3),
                WindowFunctions.lag("utf8", 2),
                WindowFunctions.lag("utf8", 2, "none"),
                WindowFunctions.lead("int64", 1, 7L),
                WindowFunctions.firstValue("utf8"),
                WindowFunctions.running(Aggregates.sum("int32")),
                WindowFunctions.running(Aggregates.mean("float64")),
                WindowFunctions.running(Aggregates.max("utf8")),
                WindowFunctions.moving(Aggregates.sum("int32"), 3, 1),
                WindowFunctions.moving(Aggregates.mean("float64"), 3, 1),
                WindowFunctions.moving(Aggregates.min("utf8"), 3, 1),
                WindowFunctions.over(Aggregates.sum("float64"), Frame.rows(0, Frame.UNBOUNDED_FOLLOWING)),
                WindowFunctions.total(Aggregates.list("utf8")),
                WindowFunctions.total(Aggregates.std("float64")));
    }

    @ParameterizedTest
    @MethodSource("windows")
    void windows(WindowFunction function) {
        try (Block rows = rows()) {
            for (Window window :
                    List.of(Window.whole().orderBy("k"), Window.partitionBy("t").orderBy("k", "float64"))) {
                WindowBlocks blocks = new WindowBlocks(window, List.of(WindowFunctions.denseRank(), function));
                sweep(function + " over " + window, allocator -> blocks.compute(allocator, rows, Block::close));
            }
        }
    }

    @Test
    void sorting() {
        try (Block rows = rows()) {
            for (String key : List.of("k", "t", "float64", "utf8")) {
                sweep("sort by " + key, allocator -> {
                    int[] positions = new int[ROWS];
                    try (RowOrder order =
                            RowOrder.of(allocator, rows, List.of(SortKey.ascending(key), SortKey.descending("t")))) {
                        order.copy(0, ROWS, positions);
                    }
                    Blocks.take(allocator, rows, positions, ROWS).close();
                });
            }
        }
    }

    @Test
    void joinTables() {
        try (Block rows = rows()) {
            for (List<String> names : List.of(List.of("k"), List.of("t"), List.of("k", "float64"))) {
                List<Column> columns = names.stream().map(rows::column).toList();
                List<KeyForm> forms = columns.stream()
                        .map(column -> KeyForm.of(column.type(), column.type()))
                        .toList();
                List<DataType> as = new ArrayList<>();
                columns.forEach(column -> as.add(column.type().equals(DataType.INT64) ? DataType.FLOAT64 : null));
                List<KeyForm> formsAs = new ArrayList<>();
                for (int i = 0; i < as.size(); i++) {
                    DataType type = as.get(i) == null ? columns.get(i).type() : as.get(i);
                    formsAs.add(KeyForm.of(type, type));
                }
                sweep("table of " + names, allocator -> {
                    List<DataType> same = new ArrayList<>();
                    columns.forEach(_ -> same.add(null));
                    try (JoinKeys keys = JoinKeys.of(allocator, columns, same)) {
                        JoinHashTable.build(allocator, keys, forms, ROWS).close();
                    }
                });
                sweep("table of widened " + names, allocator -> {
                    try (JoinKeys keys = JoinKeys.of(allocator, columns, as)) {
                        JoinHashTable.build(allocator, keys, formsAs, ROWS).close();
                    }
                });
            }
        }
    }
}
