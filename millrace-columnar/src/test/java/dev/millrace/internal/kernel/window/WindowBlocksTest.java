package dev.millrace.internal.kernel.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.RandomValues;
import dev.millrace.error.MillraceException;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.PlainAggregates;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Types;
import dev.millrace.window.Frame;
import dev.millrace.window.WindowFunction;
import dev.millrace.window.WindowFunctions;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// [WindowBlocks], and every [WindowColumn] by itself, against [PlainWindows].
class WindowBlocksTest {
    private static final int CASES = 100;
    private static final int MAX_ROWS = 70;

    @Test
    void placesNumberTheRowsOfEachPartition() {
        check("RankColumns", WindowBlocksTest::anyWindow, window -> {
            List<WindowFunction> all = List.of(
                    WindowFunctions.rowNumber(),
                    WindowFunctions.rank(),
                    WindowFunctions.denseRank(),
                    WindowFunctions.percentRank(),
                    WindowFunctions.cumeDist(),
                    WindowFunctions.ntile(1 + window.chance.random().nextInt(9)));
            return window.chance.rarely(2) ? all : List.of(window.chance.oneOf(all));
        });
    }

    @Test
    void framePicksShiftValuesOfEveryType() {
        check("FramePicks.shifted", WindowBlocksTest::anyWindow, window -> {
            long rows = window.chance.rarely(8)
                    ? window.chance.oneOf(List.of(Long.MAX_VALUE, Long.MIN_VALUE + 1, 1L << 32))
                    : window.chance.random().nextInt(-5, 6);
            Object otherwise = window.chance.rarely(2) ? window.chance.oneOf(someOf(window)) : null;
            return List.of(
                    otherwise instanceof Serializable value
                            ? WindowFunctions.lag("v", rows, value)
                            : WindowFunctions.lag("v", rows));
        });
    }

    /// A value of the column; null too.
    private static List<Object> someOf(RandomWindow window) {
        List<Object> some = new ArrayList<>(window.columns.getLast());
        some.add(null);
        return some;
    }

    @Test
    void framePicksTakeTheNthRowOfAFrame() {
        check("FramePicks.nth and nthValue", WindowBlocksTest::anyWindow, window -> {
            List<WindowFunction.Picked> kinds = List.of(
                    WindowFunctions.firstValue("v"),
                    WindowFunctions.lastValue("v"),
                    WindowFunctions.nthValue("v", 1 + window.chance.random().nextInt(4)));
            WindowFunction.Picked picked = window.chance.oneOf(kinds).over(window.frame());
            return List.of(window.chance.random().nextBoolean() ? picked.ignoreNulls() : picked);
        });
    }

    @Test
    void frameCountsCountTheRowsOfAFrame() {
        check(
                "FrameCounts",
                WindowBlocksTest::anyWindow,
                window -> List.of(WindowFunctions.over(Aggregates.count(), window.part())));
    }

    @Test
    void exactSumsAddIntegersAndDecimalsAndRefuseWhatDoesNotFit() {
        Function<RandomCase, RandomWindow> windows = chance -> {
            List<DataType> exact = RandomWindow.NUMBERS.stream()
                    .filter(type -> !(type instanceof DataType.Float))
                    .toList();
            return new RandomWindow(
                    chance, false, chance.oneOf(exact), chance.random().nextInt(3) > 0);
        };
        check("ExactSums", windows, window -> List.of(WindowFunctions.over(Aggregates.sum("v"), window.part())));
    }

    @Test
    void frameSumsAddFloatsAndMakeMeansOfAllNumbers() {
        Function<RandomCase, RandomWindow> windows = chance -> new RandomWindow(
                chance,
                false,
                chance.oneOf(RandomWindow.NUMBERS),
                chance.random().nextBoolean());
        check("FrameSums", windows, window -> {
            boolean real = window.plain().schema().type("v") instanceof DataType.Float;
            return List.of(WindowFunctions.over(
                    real && window.chance.random().nextBoolean() ? Aggregates.sum("v") : Aggregates.mean("v"),
                    window.part()));
        });
    }

    @Test
    void frameExtremesFindTheLeastAndTheGreatestValue() {
        List<DataType> ordered =
                RandomValues.types().stream().filter(Types::hasOrder).toList();
        Function<RandomCase, RandomWindow> windows = chance -> new RandomWindow(
                chance, false, chance.oneOf(ordered), chance.random().nextBoolean());
        check("FrameExtremes", windows, window -> {
            boolean bool = window.plain().schema().type("v") instanceof DataType.Bool;
            return List.of(WindowFunctions.over(
                    window.chance.oneOf(
                            bool
                                    ? List.of(Aggregates.any("v"), Aggregates.all("v"))
                                    : List.of(Aggregates.min("v"), Aggregates.max("v"))),
                    window.part()));
        });
    }

    @Test
    void partitionTotalsStandBesideEachRow() {
        check(
                "PartitionTotals",
                WindowBlocksTest::anyWindow,
                window -> List.of(WindowFunctions.total(window.chance.oneOf(List.of(
                        window.aggregate(),
                        Aggregates.countDistinct("v"),
                        Aggregates.set("v"),
                        Aggregates.valueCounts("v"))))));
    }

    @Test
    void valueFramesReachAsFarAsTheDistancesOfTheOrderKey() {
        check("ValueFrames", RandomWindow::ofDistances, window -> {
            Frame frame = window.distances();
            return List.of(
                    WindowFunctions.over(Aggregates.count(), frame),
                    WindowFunctions.over(Aggregates.sum("v").as("sum"), frame),
                    WindowFunctions.over(Aggregates.min("v").as("min"), frame),
                    WindowFunctions.firstValue("v").over(frame).as("first"));
        });
    }

    @Test
    void manyFunctionsOverOneWindowDoNotDisturbEachOther() {
        check("WindowBlocks", WindowBlocksTest::anyWindow, window -> {
            List<WindowFunction> functions = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                functions.add(
                        WindowFunctions.over(window.aggregate(), window.frame()).as("f" + i));
            }
            functions.add(WindowFunctions.rank());
            functions.add(WindowFunctions.lead("v"));
            return functions;
        });
    }

    private static RandomWindow anyWindow(RandomCase chance) {
        return new RandomWindow(
                chance,
                false,
                chance.oneOf(RandomValues.types()),
                chance.random().nextInt(3) > 0);
    }

    private static void check(
            String kernel,
            Function<RandomCase, RandomWindow> windows,
            Function<RandomWindow, List<WindowFunction>> functions) {
        RandomCase.check(kernel, CASES, MAX_ROWS, each -> {
            RandomWindow window = windows.apply(each);
            List<WindowFunction> asked = functions.apply(window);
            each.about(asked.toString());
            WindowBlocks blocks = new WindowBlocks(window.window, asked);
            List<Block> made = new ArrayList<>();
            try (Block rows = window.block()) {
                List<List<PlainAggregates.Result>> expected;
                try {
                    expected = expected(window, asked);
                } catch (PlainAggregates.SumOverflow e) {
                    assertThatThrownBy(() -> blocks.compute(each.allocator(), rows, made::add))
                            .isInstanceOf(MillraceException.class)
                            .hasMessageContaining(" beyond ");
                    return;
                }
                blocks.compute(each.allocator(), rows, made::add);
                try (Block all = Blocks.concatenate(each.allocator(), made)) {
                    same(window, asked, all, expected);
                }
            } finally {
                made.forEach(Block::close);
            }
        });
    }

    /// Of each row of the output what the functions should be.
    static List<List<PlainAggregates.Result>> expected(RandomWindow window, List<WindowFunction> functions) {
        PlainWindows plain = window.plain();
        List<List<PlainAggregates.Result>> expected = new ArrayList<>();
        for (List<Integer> partition : plain.partitions()) {
            for (int place = 0; place < partition.size(); place++) {
                List<PlainAggregates.Result> row = new ArrayList<>();
                for (WindowFunction function : functions) {
                    row.add(plain.of(function, partition, place));
                }
                expected.add(row);
            }
        }
        return expected;
    }

    static void same(
            RandomWindow window,
            List<WindowFunction> functions,
            Block made,
            List<List<PlainAggregates.Result>> expected) {
        List<Integer> order =
                window.plain().partitions().stream().flatMap(List::stream).toList();
        int own = window.fields.size();
        assertThat(made.rows()).as("rows").isEqualTo(order.size());
        assertThat(made.schema()).isEqualTo(WindowTypes.result(window.schema(), window.window, functions));
        for (int row = 0; row < order.size(); row++) {
            for (int i = 0; i < own; i++) {
                assertThat(OracleValues.normal(made.column(i).value(row)))
                        .as(
                                "column %s of row %s, which was row %s",
                                window.fields.get(i).name(), row, order.get(row))
                        .isEqualTo(OracleValues.normal(window.columns.get(i).get(order.get(row))));
            }
            for (int i = 0; i < functions.size(); i++) {
                Column column = made.column(own + i);
                PlainAggregates.Result result = expected.get(row).get(i);
                assertThat(result.isMet(column.value(row)))
                        .as(
                                "%s of row %s, which was row %s, is %s and not %s",
                                functions.get(i), row, order.get(row), column.value(row), result.value())
                        .isTrue();
            }
        }
    }
}
