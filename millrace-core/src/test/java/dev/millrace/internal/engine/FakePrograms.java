package dev.millrace.internal.engine;

import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.internal.exchange.MixReducer;
import dev.millrace.internal.exchange.ReduceLayout;
import dev.millrace.internal.exchange.ShardMaker;
import dev.millrace.internal.exchange.ShuffleReducer;
import dev.millrace.internal.operator.ProgramFactory;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.transform.ChainSpec;
import dev.millrace.internal.transform.VerbSite;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.BlockPlace;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Programs over [FakeBlock]s and short names for plans of them. Functions are found by the operator's name.
final class FakePrograms implements ProgramFactory {
    private final Map<String, Function<long[], List<long[]>>> functions = new HashMap<>();
    Resources need = Resources.cpus(1);
    long targetBytes = 1 << 20;

    /// What a fake runtime runs: the inputs' values become the values of output blocks.
    ///
    /// @param counts whether it tells how many rows these have, as a map task of an exchange does
    record FakeProgram(Function<List<long[]>, List<long[]>> body, boolean counts) implements TaskProgram {
        FakeProgram(Function<List<long[]>, List<long[]>> body) {
            this(body, false);
        }

        @Override
        public void run(TaskContext context) {
            throw new UnsupportedOperationException();
        }
    }

    record FakeActor() implements ActorProgram {
        @Override
        public Object start(ActorContext context) {
            return this;
        }

        @Override
        public void stop(Object state) {}
    }

    /// A split that makes these blocks.
    record FakeSplit(List<long[]> blocks) implements Split {
        @Override
        public String description() {
            return "fake";
        }

        @Override
        public OptionalLong sizeBytes() {
            return OptionalLong.of(blocks.stream().mapToLong(b -> b.length * 8L).sum());
        }

        @Override
        public SplitReader open(ReadContext context) {
            throw new UnsupportedOperationException();
        }
    }

    record FakeSource(List<FakeSplit> splits, boolean isLocal) implements Source {
        @Override
        public String name() {
            return "Fake";
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.empty();
        }

        @Override
        public Iterator<Split> splits(SplitRequest request) {
            return List.<Split>copyOf(splits).iterator();
        }
    }

    @Override
    public TaskProgram read(Split split, ChainSpec chain) {
        return new FakeProgram(inputs -> ((FakeSplit) split).blocks());
    }

    @Override
    public TaskProgram map(ChainSpec chain, List<BlockPlace> places) {
        return new FakeProgram(inputs -> functions.get(chain.operator()).apply(concat(inputs)));
    }

    @Override
    public TaskProgram zip(int leftInputs, ChainSpec chain, VerbSite verb) {
        return new FakeProgram(inputs -> {
            long[] left = concat(inputs.subList(0, leftInputs));
            long[] right = concat(inputs.subList(leftInputs, inputs.size()));
            if (left.length != right.length) {
                throw new AssertionError(left.length + " rows zipped with " + right.length);
            }
            return List.of(IntStream.range(0, left.length)
                    .mapToLong(i -> pair(left[i], right[i]))
                    .toArray());
        });
    }

    static long pair(long left, long right) {
        return left * 1_000_003 + right;
    }

    @Override
    public ActorProgram actor(ChainSpec chain) {
        return new FakeActor();
    }

    @Override
    public TaskProgram shards(ShardMaker maker, long firstRow, long shardBytes, VerbSite verb) {
        return new FakeProgram(List::copyOf, true);
    }

    @Override
    public TaskProgram reduce(ShuffleReducer reducer, ReduceLayout layout, ChainSpec tail, VerbSite verb) {
        return new FakeProgram(inputs ->
                List.of(reducer instanceof MixReducer mixed ? mixed(mixed, layout, concat(inputs)) : concat(inputs)));
    }

    private static long[] mixed(MixReducer reducer, ReduceLayout layout, long[] values) {
        int[] rows = layout.sides().stream()
                .mapToInt(side ->
                        (int) side.stream().mapToLong(ReduceLayout.Run::rows).sum())
                .toArray();
        return IntStream.of(reducer.mix().order(reducer.first(), rows))
                .mapToLong(row -> values[row])
                .toArray();
    }

    static long[] concat(List<long[]> parts) {
        return parts.stream().flatMapToLong(LongStream::of).toArray();
    }

    // ---- plans

    /// Reads `splits` splits of `blocks` blocks of `rows` rows: ids from 0.
    PhysicalPlan.Read read(int splits, int blocks, int rows) {
        List<FakeSplit> all = new ArrayList<>();
        long next = 0;
        for (int s = 0; s < splits; s++) {
            List<long[]> made = new ArrayList<>();
            for (int b = 0; b < blocks; b++, next += rows) {
                made.add(LongStream.range(next, next + rows).toArray());
            }
            all.add(new FakeSplit(made));
        }
        return read("read", new FakeSource(all, false));
    }

    PhysicalPlan.Read read(String name, Source source) {
        return new PhysicalPlan.Read(
                name,
                source,
                new SplitRequest(1, false, 1, 1),
                chain(name),
                need,
                Integer.MAX_VALUE,
                OptionalLong.empty());
    }

    PhysicalPlan.Map map(String name, PhysicalPlan input, Function<long[], List<long[]>> function) {
        return map(name, input, new Compute.Tasks(Integer.MAX_VALUE), 0, function);
    }

    PhysicalPlan.Map map(
            String name,
            PhysicalPlan input,
            Compute.Strategy strategy,
            long bundleRows,
            Function<long[], List<long[]>> function) {
        functions.put(name, function);
        return new PhysicalPlan.Map(name, input, chain(name), strategy, need, bundleRows);
    }

    PhysicalPlan.Map copy(String name, PhysicalPlan input) {
        return map(name, input, List::of);
    }

    PhysicalPlan.Zip zip(PhysicalPlan left, PhysicalPlan right) {
        return new PhysicalPlan.Zip("zip", left, right, chain("zip"), need, "");
    }

    ChainSpec chain(String name) {
        return new ChainSpec(name, List.of(), targetBytes, 1 << 10);
    }
}
