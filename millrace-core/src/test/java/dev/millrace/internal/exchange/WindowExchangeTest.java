package dev.millrace.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.kernel.window.WindowBlocks;
import dev.millrace.internal.kernel.window.WindowStream;
import dev.millrace.relation.SortKey;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import dev.millrace.window.WindowFunctions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Window functions through an exchange are those of [WindowBlocks] over all rows at once, however small the parts.
class WindowExchangeTest {
    private static final int PARTITIONS = 5;
    private static final List<Field> FIELDS =
            List.of(new Field("p", DataType.UTF8), new Field("o", DataType.FLOAT64), new Field("v", DataType.INT32));
    /// None of them depends on more rows than it must, so that large partitions pass by in pieces.
    private static final List<WindowFunction> STREAMED = List.of(
            WindowFunctions.rowNumber().as("number"),
            WindowFunctions.rank().as("rank"),
            WindowFunctions.lag("v", 2).as("lag"),
            WindowFunctions.running(Aggregates.sum("v")).as("sum"),
            WindowFunctions.over(Aggregates.max("v"), Frame.rows(-2, 1)).as("max"),
            WindowFunctions.total(Aggregates.count()).as("count"));
    private static final List<WindowFunction> HELD = List.of(
            WindowFunctions.over(Aggregates.min("v"), Frame.rows(-1, Frame.UNBOUNDED_FOLLOWING))
                    .as("min"),
            WindowFunctions.total(Aggregates.list("v")).as("list"),
            WindowFunctions.over(Aggregates.sum("v"), Frame.values(-1, 2)).as("near"));

    @Test
    void partitionsThatAreTooLargeAreAsThoseThatAreNot() {
        RandomCase.check("WindowReducer and LargeWindow", 60, 120, each -> {
            boolean streams = each.random().nextBoolean();
            List<WindowFunction> functions = streams ? STREAMED : HELD;
            Window window = (each.rarely(5) ? Window.partitionBy("p", "p") : Window.partitionBy("p"))
                    .orderBy(new SortKey("o", each.random().nextBoolean()));
            each.about(functions + " over " + window);
            try (RandomBundles rows = new RandomBundles(each, each.rows(), FIELDS);
                    PlainExchange exchange = PlainExchange.of(each)) {
                int partitions = 1 + each.random().nextInt(PARTITIONS);
                List<List<Block>> parts = exchange.run(
                        List.of(new PlainExchange.Side(
                                new PartitionShards(new HashPartitioner(List.of("p"), partitions)), rows.bundles)),
                        new CountedPartitions(partitions, each.random().nextBoolean()),
                        new WindowReducer(new WindowBlocks(window, functions)));
                same(each, rows, window, functions, parts);
            }
        });
    }

    @Test
    void allRowsAsOnePartitionPassByInPieces() {
        RandomCase.check("WindowStreamReducer", 60, 120, each -> {
            List<SortKey> order = each.rarely(4)
                    ? List.of()
                    : List.of(new SortKey("o", each.random().nextBoolean()), new SortKey("p", false));
            Window window = new Window(List.of(), order);
            List<WindowFunction> functions = STREAMED.stream()
                    .filter(function -> WindowStream.canStream(window, List.of(function)))
                    .toList();
            each.about(functions + " over " + window);
            try (RandomBundles rows = new RandomBundles(each, each.rows(), FIELDS);
                    PlainExchange exchange = PlainExchange.of(each)) {
                List<List<Block>> parts = exchange.run(
                        List.of(new PlainExchange.Side(new SortShards(order), rows.bundles)),
                        new SortedRanges(new byte[0][]),
                        new WindowStreamReducer(window, functions));
                same(each, rows, window, functions, parts);
            }
        });
    }

    private static void same(
            RandomCase each,
            RandomBundles rows,
            Window window,
            List<WindowFunction> functions,
            List<List<Block>> parts) {
        Map<Object, List<Object>> made = new HashMap<>();
        int count = 0;
        for (Block block : parts.stream().flatMap(List::stream).toList()) {
            count += (int) block.rows();
            collect(block, made);
        }
        assertThat(count).as("rows").isEqualTo(rows.rows());
        Map<Object, List<Object>> expected = new HashMap<>();
        List<Block> whole = new ArrayList<>();
        try (Block all = Blocks.concatenate(
                each.allocator(), rows.bundles.stream().flatMap(List::stream).toList())) {
            new WindowBlocks(window, functions).compute(each.allocator(), all, whole::add);
            whole.forEach(block -> collect(block, expected));
        } finally {
            whole.forEach(Block::close);
        }
        assertThat(made).isEqualTo(expected);
    }

    /// The values of each row by its number.
    private static void collect(Block block, Map<Object, List<Object>> into) {
        for (long row = 0; row < block.rows(); row++) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < block.schema().size(); i++) {
                values.add(OracleValues.normal(block.column(i).value(row)));
            }
            assertThat(into.put(values.getFirst(), values)).isNull();
        }
    }
}
