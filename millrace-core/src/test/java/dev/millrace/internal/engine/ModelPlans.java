package dev.millrace.internal.engine;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.internal.exchange.ConcatenateReducer;
import dev.millrace.internal.exchange.CountedPartitions;
import dev.millrace.internal.exchange.EvenRows;
import dev.millrace.internal.exchange.ReduceAssignment;
import dev.millrace.internal.exchange.ShardMaker;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.relation.MixStop;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.LongStream;

/// Random small plans, each with the rows it must give.
final class ModelPlans {
    record Expected(PhysicalPlan plan, long[] rows) {}

    private final Random random;
    private final FakePrograms programs;
    private final FakeRuntime runtime;
    private final boolean ordered;
    final List<BlockSlice> owned = new ArrayList<>();
    int pools;
    boolean limited;
    private int names;
    private long nextId;

    /// @param ordered the rows stand in the order of the data
    ModelPlans(Random random, FakePrograms programs, FakeRuntime runtime, boolean ordered) {
        this.random = random;
        this.programs = programs;
        this.runtime = runtime;
        this.ordered = ordered;
    }

    Expected any(int depth) {
        if (depth == 0) {
            return random.nextInt(5) == 0 ? blocks() : read();
        }
        return switch (random.nextInt(ordered ? 12 : 11)) {
            case 0, 1, 2, 3 -> map(any(depth - 1));
            case 4 -> limit(any(depth - 1));
            case 5, 6 -> union(depth);
            case 7 -> exchange(any(depth - 1));
            case 8 -> random.nextBoolean() ? exchange(any(depth - 1)) : broadcast(any(depth - 1), any(depth - 1));
            case 9 -> rows(any(depth - 1));
            case 10 -> mix(depth);
            default -> zip(any(depth - 1));
        };
    }

    /// A read that is longer than those of [#any], with a step behind it or without.
    Expected many() {
        Expected read = readOf(10 + random.nextInt(20), 4, 3);
        return random.nextBoolean() ? read : map(read);
    }

    private Expected read() {
        return readOf(random.nextInt(14), random.nextInt(4), 1 + random.nextInt(4));
    }

    private Expected readOf(int splits, int mostBlocks, int mostRows) {
        List<FakePrograms.FakeSplit> made = new ArrayList<>();
        List<long[]> all = new ArrayList<>();
        for (int s = 0; s < splits; s++) {
            List<long[]> blocks = new ArrayList<>();
            for (int b = random.nextInt(mostBlocks + 1); b > 0; b--) {
                blocks.add(ids(random.nextInt(mostRows + 1)));
            }
            all.addAll(blocks);
            made.add(new FakePrograms.FakeSplit(blocks));
        }
        return new Expected(
                programs.read("read" + names++, new FakePrograms.FakeSource(made, random.nextInt(8) == 0)),
                FakePrograms.concat(all));
    }

    private Expected blocks() {
        List<BlockSlice> slices = new ArrayList<>();
        List<long[]> all = new ArrayList<>();
        for (int b = random.nextInt(5); b > 0; b--) {
            long[] values = ids(random.nextInt(5));
            all.add(values);
            slices.add(BlockSlice.whole(runtime.block(values)));
        }
        owned.addAll(slices);
        return new Expected(new PhysicalPlan.Blocks("blocks" + names++, slices), FakePrograms.concat(all));
    }

    private long[] ids(int rows) {
        long from = nextId;
        nextId += rows;
        return LongStream.range(from, nextId).toArray();
    }

    private Expected map(Expected input) {
        Function<long[], long[]> rows = switch (random.nextInt(4)) {
            case 0 -> values -> LongStream.of(values).filter(v -> v % 3 != 0).toArray();
            case 1 ->
                values -> LongStream.of(values)
                        .flatMap(v -> LongStream.of(v, v + 1_000_000))
                        .toArray();
            default -> values -> LongStream.of(values).map(v -> v + 7).toArray();
        };
        int pieces = 1 + random.nextInt(4);
        Compute.Strategy strategy;
        if (random.nextInt(3) == 0) {
            int min = random.nextInt(3);
            int max = Math.max(1, min + random.nextInt(3));
            strategy = new Compute.Actors(min, max, min + random.nextInt(max - min + 1), 1 + random.nextInt(2));
            pools++;
        } else {
            strategy = new Compute.Tasks(random.nextBoolean() ? Integer.MAX_VALUE : 1 + random.nextInt(3));
        }
        long bundle = random.nextInt(3) == 0 ? 1 + random.nextInt(12) : 0;
        return new Expected(
                programs.map("map" + names++, input.plan, strategy, bundle, values -> cut(rows.apply(values), pieces)),
                rows.apply(input.rows));
    }

    /// One that keeps the order: blocks as they are in even parts, or shards of one partition.
    private Expected exchange(Expected input) {
        boolean mapped = random.nextBoolean();
        ReduceAssignment assignment =
                mapped ? new CountedPartitions(1, random.nextBoolean()) : new EvenRows(1 + random.nextInt(6));
        PhysicalPlan.Side side = new PhysicalPlan.Side(input.plan, mapped ? (ShardMaker) _ -> {} : null);
        return new Expected(
                new PhysicalPlan.Exchange(
                        "exchange" + names++,
                        List.of(side),
                        assignment,
                        new ConcatenateReducer(),
                        programs.need,
                        1 + random.nextInt(200),
                        1000,
                        1,
                        4,
                        ""),
                input.rows);
    }

    /// One of two sides, of which the other has blocks but no rows: it goes to all tasks of the first, or both through
    /// the exchange.
    private Expected broadcast(Expected input, Expected other) {
        PhysicalPlan none = programs.map("none" + names++, other.plan, _ -> List.of(new long[0]));
        int small = random.nextInt(2);
        PhysicalPlan.Side rows = new PhysicalPlan.Side(input.plan, (ShardMaker) _ -> {});
        PhysicalPlan.Side empty = new PhysicalPlan.Side(none, (ShardMaker) _ -> {});
        long mostBytes = random.nextInt(3) - 1L;
        ConcatenateReducer rest = random.nextBoolean() ? new ConcatenateReducer() : null;
        return new Expected(
                new PhysicalPlan.Exchange(
                        "broadcast" + names++,
                        small == 0 ? List.of(empty, rows) : List.of(rows, empty),
                        new CountedPartitions(1, random.nextBoolean()),
                        new ConcatenateReducer(),
                        programs.need,
                        1 + random.nextInt(200),
                        1000,
                        1,
                        4,
                        new PhysicalPlan.Broadcast(small, mostBytes, 1, _ -> {}, new ConcatenateReducer(), rest),
                        null,
                        ""),
                input.rows);
    }

    private Expected rows(Expected input) {
        return new Expected(
                new PhysicalPlan.Rows(
                        "rows" + names++,
                        input.plan,
                        1 + random.nextInt(7),
                        random.nextBoolean(),
                        programs.need,
                        100,
                        ""),
                input.rows);
    }

    private static List<long[]> cut(long[] values, int pieces) {
        List<long[]> parts = new ArrayList<>();
        int size = Math.max(1, (values.length + pieces - 1) / pieces);
        for (int from = 0; from < values.length; from += size) {
            parts.add(Arrays.copyOfRange(values, from, Math.min(values.length, from + size)));
        }
        return parts;
    }

    private Expected limit(Expected input) {
        limited = true;
        int offset = random.nextInt(3) == 0 ? random.nextInt(10) : 0;
        int rows = random.nextInt(25);
        int from = Math.min(offset, input.rows.length);
        return new Expected(
                new PhysicalPlan.Limit("limit" + names++, input.plan, offset, rows),
                Arrays.copyOfRange(input.rows, from, Math.min(input.rows.length, from + rows)));
    }

    private Expected union(int depth) {
        List<Expected> inputs = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            inputs.add(any(random.nextInt(depth)));
        }
        return new Expected(
                new PhysicalPlan.Union(
                        "union" + names++, inputs.stream().map(Expected::plan).toList()),
                FakePrograms.concat(inputs.stream().map(Expected::rows).toList()));
    }

    /// To the end of the first only where rows stand in order: which are left over depends on it.
    private Expected mix(int depth) {
        List<Expected> inputs = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            inputs.add(any(random.nextInt(depth)));
            weights.add(random.nextBoolean() ? 1.0 : random.nextDouble() + 0.01);
        }
        MixStop stop = ordered && random.nextBoolean() ? MixStop.FIRST_EXHAUSTED : MixStop.ALL_EXHAUSTED;
        limited |= stop == MixStop.FIRST_EXHAUSTED;
        return new Expected(
                new PhysicalPlan.Mix(
                        "mix" + names++,
                        inputs.stream().map(Expected::plan).toList(),
                        weights,
                        stop,
                        programs.need,
                        1 + random.nextInt(400),
                        ""),
                mixed(inputs.stream().map(Expected::rows).toList(), weights, stop));
    }

    private static long[] mixed(List<long[]> inputs, List<Double> weights, MixStop stop) {
        LongStream.Builder rows = LongStream.builder();
        int[] taken = new int[inputs.size()];
        while (true) {
            int next = -1;
            for (int i = 0; i < taken.length; i++) {
                boolean counts = stop == MixStop.FIRST_EXHAUSTED || taken[i] < inputs.get(i).length;
                double time = (taken[i] + 0.5) / weights.get(i);
                if (counts && (next < 0 || time < (taken[next] + 0.5) / weights.get(next))) {
                    next = i;
                }
            }
            if (next < 0 || taken[next] == inputs.get(next).length) {
                return rows.build().toArray();
            }
            rows.add(inputs.get(next)[taken[next]++]);
        }
    }

    /// With a right side of the same number of rows, in other blocks.
    private Expected zip(Expected left) {
        int rows = left.rows.length;
        long[] values = ids(rows);
        List<FakePrograms.FakeSplit> splits = new ArrayList<>();
        for (int at = 0; at < rows; ) {
            int count = Math.min(rows - at, 1 + random.nextInt(6));
            long[] part = Arrays.copyOfRange(values, at, at + count);
            splits.add(new FakePrograms.FakeSplit(cut(part, 1 + random.nextInt(3))));
            at += count;
        }
        long[] paired = new long[rows];
        Arrays.setAll(paired, i -> FakePrograms.pair(left.rows[i], values[i]));
        PhysicalPlan right = programs.read("right" + names++, new FakePrograms.FakeSource(splits, false));
        return random.nextBoolean()
                ? new Expected(programs.zip(left.plan, right), paired)
                : new Expected(programs.zip(right, left.plan), mirrored(values, left.rows));
    }

    private static long[] mirrored(long[] left, long[] right) {
        long[] paired = new long[left.length];
        Arrays.setAll(paired, i -> FakePrograms.pair(left[i], right[i]));
        return paired;
    }

    /// Fails unless these blocks have the rows that the plan must give.
    void check(Expected expected, List<long[]> blocks) {
        long[] rows = FakePrograms.concat(blocks);
        long[] wanted = expected.rows.clone();
        if (!ordered && limited) {
            // Which rows a limit lets through is not said.
            return;
        }
        if (!ordered) {
            Arrays.sort(rows);
            Arrays.sort(wanted);
        }
        if (!Arrays.equals(rows, wanted)) {
            throw new AssertionError(
                    "got " + Arrays.toString(rows) + "\nnot " + Arrays.toString(wanted) + "\nof " + expected.plan);
        }
    }

    /// Enough for a task beside one actor of each pool, and maybe more.
    Resources total() {
        long memory = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(2000);
        return new Resources(pools + 3 + random.nextInt(4), 0, memory, java.util.Map.of());
    }
}
