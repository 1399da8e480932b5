package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.VerbSite;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.FunctionUse;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.ToleratedErrors;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/// A shuffle without an engine, one task after the other: map tasks over bundles of blocks, the division of what they
/// gave, reduce tasks. Makers, reducers and what tasks tell go through bytes, as they do between processes.
final class PlainExchange implements AutoCloseable {
    private static final VerbSite VERB = new VerbSite("exchange", CallSite.UNKNOWN);

    private final RandomCase each;
    private final long shardBytes;
    private final long partBytes;
    private final long targetBytes;
    private final long mostBytes;
    private final List<Block> held = new ArrayList<>();

    /// What is known of the last tasks that ran: what they told.
    private final List<Serializable> told = new ArrayList<>();

    private PlainExchange(RandomCase each, long shardBytes, long partBytes, long targetBytes, long mostBytes) {
        this.each = each;
        this.shardBytes = shardBytes;
        this.partBytes = partBytes;
        this.targetBytes = targetBytes;
        this.mostBytes = mostBytes;
    }

    /// With sizes by chance: blocks of a few rows, or of all.
    static PlainExchange of(RandomCase each) {
        return of(each, List.of(64L, 400L, 3_000L, 1L << 30));
    }

    /// @param sizes those that are chosen from
    static PlainExchange of(RandomCase each, List<Long> sizes) {
        long part = each.oneOf(sizes);
        PlainExchange made = new PlainExchange(each, each.oneOf(sizes), part, each.oneOf(sizes), each.oneOf(sizes));
        each.about("shards of " + made.shardBytes + ", parts of " + part + ", blocks of " + made.targetBytes + " to "
                + made.mostBytes + " bytes");
        return made;
    }

    /// One input: what makes its shards, null where blocks are taken as they are, and bundles of blocks.
    record Side(ShardMaker maker, List<List<Block>> bundles) {}

    /// The output of one map task.
    private record Run(List<Block> blocks, Schema narrow, long rows, long bytes, Serializable told) {}

    /// The blocks of each part, which stay this one's.
    List<List<Block>> run(List<Side> sides, ReduceAssignment assignment, ShuffleReducer reducer) throws Exception {
        List<List<Run>> runs = new ArrayList<>();
        List<List<MapOutput>> outputs = new ArrayList<>();
        for (Side side : sides) {
            List<Run> ofSide = side.maker == null ? asTheyAre(side.bundles) : mapped(side);
            runs.add(ofSide);
            outputs.add(ofSide.stream()
                    .map(run -> new MapOutput(run.rows, run.bytes, plain(run.told)))
                    .toList());
        }
        List<List<Block>> parts = new ArrayList<>();
        told.clear();
        for (ReducePart part : assignment.assign(outputs, partBytes)) {
            parts.add(reduced(reducer, part, runs));
        }
        return parts;
    }

    private static MapShards plain(Serializable shards) {
        return shards instanceof NarrowShards narrow ? narrow.shards() : (MapShards) shards;
    }

    private List<Run> asTheyAre(List<List<Block>> bundles) {
        List<Block> all = bundles.stream().flatMap(List::stream).toList();
        long rows = all.stream().mapToLong(Block::rows).sum();
        return List.of(new Run(
                all, null, rows, all.stream().mapToLong(Block::sizeBytes).sum(), null));
    }

    private List<Run> mapped(Side side) throws Exception {
        List<Run> runs = new ArrayList<>();
        long firstRow = 0;
        ShardMaker maker = side.bundles.size() == 1 && each.random().nextBoolean() ? side.maker.ofAll() : side.maker;
        for (List<Block> bundle : side.bundles) {
            runs.add(map(maker, bundle, firstRow));
            firstRow += bundle.stream().mapToLong(Block::rows).sum();
        }
        return runs;
    }

    private Run map(ShardMaker maker, List<Block> bundle, long firstRow) throws Exception {
        Context context = new Context(bundle);
        new ExchangePrograms.MapProgram(travelled(maker), firstRow, shardBytes, VERB).run(context);
        long rows = context.emitted.stream().mapToLong(Block::rows).sum();
        long bytes = context.emitted.stream().mapToLong(Block::sizeBytes).sum();
        return context.told instanceof NarrowShards narrow
                ? new Run(context.emitted, narrow.rows(), rows, narrow.bytes(), narrow)
                : new Run(context.emitted, null, rows, bytes, context.told);
    }

    private List<Block> reduced(ShuffleReducer reducer, ReducePart part, List<List<Run>> runs) throws Exception {
        List<Block> inputs = new ArrayList<>();
        List<List<ReduceLayout.Run>> sides = new ArrayList<>();
        for (int side = 0; side < runs.size(); side++) {
            List<ReduceLayout.Run> layout = new ArrayList<>();
            for (ShardSpan span : part.sides().get(side)) {
                Run run = runs.get(side).get(span.output());
                int from = inputs.size();
                slices(run.blocks, span.from(), span.rows(), inputs);
                layout.add(new ReduceLayout.Run(
                        from, inputs.size() - from, span.rows(), span.partitionRows(), run.narrow));
            }
            List<Run> withBlocks =
                    runs.get(side).stream().filter(run -> !run.blocks.isEmpty()).toList();
            if (layout.isEmpty() && !withBlocks.isEmpty()) {
                Run shown = withBlocks.getFirst();
                layout.add(new ReduceLayout.Run(inputs.size(), 1, 0, null, shown.narrow));
                inputs.add(hold(shown.blocks.getFirst().slice(0, 0)));
            }
            sides.add(layout);
        }
        ReduceLayout layout = new ReduceLayout(
                part.firstPartition(), part.partitions(), sides, part.argument(), targetBytes, mostBytes);
        return reduce(reducer, layout, inputs);
    }

    /// One reduce task.
    private List<Block> reduce(ShuffleReducer reducer, ReduceLayout layout, List<Block> inputs) throws Exception {
        Context context = new Context(inputs);
        if (each.random().nextBoolean()) {
            new ExchangePrograms.ReduceProgram(travelled(reducer), travelled(layout), VERB).run(context);
        } else {
            new ExchangePrograms.ReduceMaker(travelled(reducer), travelled(layout), VERB).make(context, context::emit);
        }
        told.add(context.told);
        return context.emitted;
    }

    /// A join whose one side is a table that all tasks share: a task for each bundle of the other, and a last one.
    List<List<Block>> broadcast(JoinReducer reducer, boolean buildsLeft, List<Block> built, List<List<Block>> passing)
            throws Exception {
        Run table = map(new BuildTableMaker(reducer, buildsLeft), built, 0);
        List<List<Block>> made = new ArrayList<>();
        told.clear();
        for (List<Block> bundle : passing) {
            made.add(reduce(
                    new ProbeReducer(reducer, buildsLeft),
                    layout(table, bundle, buildsLeft, table.told),
                    inputs(table, bundle)));
        }
        UnmatchedReducer unmet = UnmatchedReducer.of(reducer, buildsLeft);
        if (unmet != null) {
            ProbeFeedback found = null;
            for (Serializable one : told) {
                found = found == null ? (ProbeFeedback) one : found.with((ProbeFeedback) one);
            }
            LastTaskInput rest = new LastTaskInput(table.told, found);
            made.add(reduce(unmet, layout(table, List.of(), buildsLeft, rest), inputs(table, List.of())));
        }
        return made;
    }

    private ReduceLayout layout(Run table, List<Block> passing, boolean buildsLeft, Serializable argument) {
        int blocks = table.blocks.size();
        List<ReduceLayout.Run> built = List.of(new ReduceLayout.Run(0, blocks, 0, null));
        long rows = passing.stream().mapToLong(Block::rows).sum();
        List<ReduceLayout.Run> asking = List.of(new ReduceLayout.Run(blocks, passing.size(), rows, null));
        return new ReduceLayout(
                0, 1, buildsLeft ? List.of(built, asking) : List.of(asking, built), argument, targetBytes, mostBytes);
    }

    private static List<Block> inputs(Run table, List<Block> passing) {
        List<Block> inputs = new ArrayList<>(table.blocks);
        inputs.addAll(passing);
        return inputs;
    }

    private void slices(List<Block> blocks, long from, long count, List<Block> into) {
        long at = 0;
        for (Block block : blocks) {
            long start = Math.max(from, at);
            long end = Math.min(from + count, at + block.rows());
            if (start < end) {
                into.add(hold(block.slice(start - at, end - start)));
            }
            at += block.rows();
        }
    }

    private Block hold(Block block) {
        held.add(block);
        return block;
    }

    /// All blocks as one, which the caller closes.
    Block together(List<List<Block>> parts) {
        return Blocks.concatenate(
                each.allocator(), parts.stream().flatMap(List::stream).toList());
    }

    @SuppressWarnings("unchecked")
    private static <T> T travelled(T value) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }

    @Override
    public void close() {
        held.forEach(Block::close);
        held.clear();
    }

    /// What a task runs in.
    private final class Context implements TaskContext {
        private final List<Block> inputs;
        private final List<Block> emitted = new ArrayList<>();
        private Serializable told;

        Context(List<Block> inputs) {
            this.inputs = inputs;
        }

        @Override
        public int inputs() {
            return inputs.size();
        }

        @Override
        public Block input(int index) {
            return inputs.get(index).retain();
        }

        @Override
        public Allocator allocator() {
            return each.allocator();
        }

        @Override
        public void emit(Block block) {
            emitted.add(hold(block));
        }

        @Override
        public void emitAside(String name, Block block) {
            block.close();
            throw new IllegalStateException("no task of a shuffle has rows that failed");
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public Object actorState() {
            return null;
        }

        @Override
        public void count(String counter, long amount) {
            // Nobody asks.
        }

        @Override
        public void tolerated(ToleratedErrors errors) {
            throw new IllegalStateException("no task of a shuffle tolerates errors");
        }

        @Override
        public void used(FunctionUse function) {
            // Nobody asks.
        }

        @Override
        public void tell(Serializable value) {
            try {
                told = travelled(value);
            } catch (Exception e) {
                throw new IllegalStateException(value + " does not travel", e);
            }
        }
    }
}
