package dev.millrace.internal.kernel.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Columns;
import dev.millrace.column.RandomValues;
import dev.millrace.relation.SortKey;
import dev.millrace.testing.LeakCheck;
import dev.millrace.testing.PlainAggregates;
import dev.millrace.testing.PlainValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import dev.millrace.window.WindowFunctions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// [WindowStream] over pieces of sorted rows is what [WindowBlocks] is over all of them.
class WindowStreamTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @Test
    void piecesAreAsTheWhole() {
        RandomCase.check("WindowStream", 200, 80, each -> {
            RandomWindow window = new RandomWindow(each, true, each.oneOf(RandomValues.types()), true);
            List<WindowFunction> functions = new ArrayList<>();
            for (int i = 1 + each.random().nextInt(5); i > 0; i--) {
                functions.add(function(window).as("f" + i));
            }
            functions.removeIf(function -> !WindowStream.canStream(window.window, List.of(function)));
            each.about(functions.toString());
            List<Block> made = new ArrayList<>();
            try (Block sorted = sorted(window)) {
                List<Block> pieces = pieces(window, sorted);
                try (WindowTotals totals = new WindowTotals(each.allocator(), functions);
                        WindowStream stream =
                                new WindowStream(each.allocator(), window.window, functions, sorted.rows(), totals)) {
                    if (totals.isNeeded()) {
                        pieces.forEach(totals::add);
                    }
                    totals.finish();
                    for (Block piece : pieces) {
                        stream.add(piece);
                        poll(stream, made);
                    }
                    stream.finish();
                    poll(stream, made);
                }
                List<List<PlainAggregates.Result>> expected = WindowBlocksTest.expected(window, functions);
                if (made.isEmpty()) {
                    assertThat(expected).isEmpty();
                    return;
                }
                try (Block all = Blocks.concatenate(each.allocator(), made)) {
                    WindowBlocksTest.same(window, functions, all, expected);
                }
            } finally {
                made.forEach(Block::close);
            }
        });
    }

    private static WindowFunction function(RandomWindow window) {
        return switch (window.chance.random().nextInt(4)) {
            case 0 ->
                window.chance.oneOf(List.of(
                        WindowFunctions.rowNumber(),
                        WindowFunctions.rank(),
                        WindowFunctions.denseRank(),
                        WindowFunctions.percentRank(),
                        WindowFunctions.cumeDist(),
                        WindowFunctions.ntile(1 + window.chance.random().nextInt(9))));
            case 1 -> WindowFunctions.lag("v", window.chance.random().nextInt(-9, 10));
            case 2 -> {
                WindowFunction.Picked picked = WindowFunctions.nthValue(
                                "v", 1 + window.chance.random().nextInt(3))
                        .over(window.frame());
                yield window.chance.random().nextBoolean() ? picked.ignoreNulls() : picked;
            }
            default -> WindowFunctions.over(window.aggregate(), window.frame());
        };
    }

    /// The rows in the order of the window.
    private static Block sorted(RandomWindow window) {
        int[] order = window.plain().partitions().stream()
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .toArray();
        try (Block rows = window.block()) {
            return Blocks.take(window.chance.allocator(), rows, order, order.length);
        }
    }

    /// Cut anywhere but between rows with equal keys; none is empty. Whoever takes them closes them.
    private static List<Block> pieces(RandomWindow window, Block sorted) {
        List<Block> pieces = new ArrayList<>();
        int often = 1 + window.chance.random().nextInt(10);
        int from = 0;
        for (int row = 1; row <= sorted.rows(); row++) {
            if (row == sorted.rows() || !arePeers(window, sorted, row) && window.chance.rarely(often)) {
                pieces.add(sorted.slice(from, row - from));
                from = row;
            }
        }
        return pieces;
    }

    private static boolean arePeers(RandomWindow window, Block sorted, int row) {
        for (SortKey key : window.window.order()) {
            Object before = sorted.column(key.column()).value(row - 1);
            if (PlainValues.compare(before, sorted.column(key.column()).value(row), false) != 0) {
                return false;
            }
        }
        return !window.window.order().isEmpty();
    }

    private static void poll(WindowStream stream, List<Block> made) {
        for (Block done = stream.poll(); done != null; done = stream.poll()) {
            made.add(done);
        }
    }

    /// Files of one dataset may have a column in different types: the sum goes on in the wider one.
    @Test
    void runningAggregatesGoOnWhereATypeChanges() {
        Window window = Window.whole();
        List<WindowFunction> functions = List.of(
                WindowFunctions.running(Aggregates.sum("v")).as("sum"),
                WindowFunctions.running(Aggregates.mean("v")).as("mean"),
                WindowFunctions.running(Aggregates.max("v")).as("max"),
                WindowFunctions.over(Aggregates.count(), Frame.running()).as("count"));
        List<Object> sums = new ArrayList<>();
        List<Object> most = new ArrayList<>();
        List<Object> means = new ArrayList<>();
        List<Object> counts = new ArrayList<>();
        try (WindowTotals totals = new WindowTotals(memory.allocator(), functions);
                WindowStream stream = new WindowStream(memory.allocator(), window, functions, 4, totals)) {
            stream.add(Block.of(
                    Schema.of(new Field("v", DataType.INT64)), List.of(Columns.ofLongs(memory.allocator(), 3, 1)), 2));
            stream.add(Block.of(
                    Schema.of(new Field("v", DataType.FLOAT64)),
                    List.of(Columns.ofDoubles(memory.allocator(), 0.5, 7.5)),
                    2));
            stream.finish();
            for (Block done = stream.poll(); done != null; done = stream.poll()) {
                try (Block block = done) {
                    sums.addAll(PlainValues.of(block.column("sum")));
                    means.addAll(PlainValues.of(block.column("mean")));
                    most.addAll(PlainValues.of(block.column("max")));
                    counts.addAll(PlainValues.of(block.column("count")));
                }
            }
        }
        assertThat(sums.toString()).isEqualTo("[3, 4, 4.5, 12]");
        assertThat(means.toString()).isEqualTo("[3, 2, 1.5, 3]");
        assertThat(most.toString()).isEqualTo("[3, 3, 3, 7.5]");
        assertThat(counts.toString()).isEqualTo("[1, 2, 3, 4]");
    }
}
