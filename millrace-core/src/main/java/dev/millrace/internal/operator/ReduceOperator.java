package dev.millrace.internal.operator;

import dev.millrace.internal.exchange.MapOutput;
import dev.millrace.internal.exchange.MapShards;
import dev.millrace.internal.exchange.NarrowShards;
import dev.millrace.internal.exchange.ReduceLayout;
import dev.millrace.internal.exchange.ReducePart;
import dev.millrace.internal.exchange.ShardSpan;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The reduce side of an exchange. Collects the shards of all map tasks (or, for a side without a maker, the blocks as
/// they arrive) until the last has ended, then assigns them to parts and runs a task for each part.
///
/// Shards are memory of the session and not of the run, like a materialised dataset: they count towards no budget, and
/// they are spilled first when memory is short. The shards that a task takes count as its input.
class ReduceOperator extends TaskOperator {
    private final PhysicalPlan.Exchange plan;
    private final ProgramFactory programs;
    private final @Nullable Allocator session;
    /// For each input, the runs by the task that made them, in the order of arrival.
    private final List<Map<Object, HeldRun>> held = new ArrayList<>();

    private final List<List<HeldRun>> runs = new ArrayList<>();
    private final ArrayDeque<ReducePart> parts = new ArrayDeque<>();
    /// For each run, how many parts still have to take rows of it.
    private final List<int[]> uses = new ArrayList<>();

    /// Where the rows of the next part are, when so many parts were left, as of this version of the nodes.
    private final NodeBytes nextBytes;

    private int talliedLeft = -1;
    private int talliedVersion;
    private long partsInAll;
    private boolean divided;

    ReduceOperator(PhysicalPlan.Exchange plan, OperatorHost host, ProgramFactory programs, Allocator account) {
        super(plan.reduceName(), host, plan.resources(), Integer.MAX_VALUE, null, account, false, plan.targetBytes());
        this.plan = plan;
        this.programs = programs;
        this.nextBytes = new NodeBytes(host.shares());
        Allocator run = account.parent();
        this.session = run == null ? null : run.parent();
        plan.sides().forEach(side -> held.add(new LinkedHashMap<>()));
    }

    @Override
    void inputArrived(BlockChannel input) {
        int number = inputs().indexOf(input);
        boolean asTheyAre = plan.sides().get(number).maker() == null;
        while (!isStopped() && !input.isEmpty()) {
            TaskRun producer = input.producer();
            boolean counted = input.bytes() > 0;
            BlockSlice slice = input.take();
            Object run = asTheyAre ? plan : producer;
            held.get(number).computeIfAbsent(run, _ -> new HeldRun()).add(slice);
            if (counted && session != null) {
                slice.block().moveTo(session);
            }
            slice.block().maySpill();
        }
    }

    @Override
    void inputEnded(BlockChannel ended) {
        for (BlockChannel input : inputs()) {
            if (!input.isEnded()) {
                return;
            }
        }
        if (!isStopped() && !divided) {
            assign();
        }
        super.inputEnded(ended);
    }

    private void assign() {
        divided = true;
        List<List<MapOutput>> sides = new ArrayList<>();
        for (Map<Object, HeldRun> side : held) {
            List<MapOutput> outputs = new ArrayList<>();
            List<HeldRun> kept = new ArrayList<>();
            side.forEach((maker, run) -> {
                MapShards told = maker instanceof TaskRun task ? (MapShards) task.told() : null;
                if (told == null && maker instanceof TaskRun) {
                    // The task was dropped after a tolerated error, and its output with it.
                    run.release();
                    return;
                }
                MapShards shards = told;
                if (told instanceof NarrowShards narrow) {
                    run.isNarrow(narrow.rows(), narrow.bytes());
                    shards = narrow.shards();
                }
                outputs.add(new MapOutput(run.rows(), run.bytes(), shards));
                kept.add(run);
            });
            side.clear();
            sides.add(outputs);
            runs.add(kept);
        }
        if (runs.stream().anyMatch(side -> !side.isEmpty()) || plan.reducer().makesRowsOfNothing()) {
            parts.addAll(plan.assignment().assign(sides, partBytes(sides)));
        }
        partsInAll = parts.size();
        countUses();
        if (parts.isEmpty()) {
            releaseAll();
        }
    }

    /// Enough parts for all CPUs, a few each, as long as they are not tiny.
    private long partBytes(List<List<MapOutput>> sides) {
        long total = 0;
        for (List<MapOutput> side : sides) {
            for (MapOutput output : side) {
                total += output.bytes();
            }
        }
        return Math.clamp(
                total / plan.parallelism(), Math.min(plan.minBytes(), plan.targetBytes()), plan.targetBytes());
    }

    @Override
    public boolean inputReady() {
        return !parts.isEmpty();
    }

    @Override
    boolean inputExhausted() {
        return divided && parts.isEmpty();
    }

    @Override
    public boolean needsMore(BlockChannel input) {
        return !divided;
    }

    @Override
    TaskRun takeInput() {
        ReducePart part = parts.poll();
        List<BlockSlice> inputs = new ArrayList<>();
        List<List<ReduceLayout.Run>> sides = new ArrayList<>();
        long rows = 0;
        long bytes = 0;
        for (int side = 0; side < runs.size(); side++) {
            List<ReduceLayout.Run> layout = new ArrayList<>();
            for (ShardSpan span : part.sides().get(side)) {
                HeldRun run = runs.get(side).get(span.output());
                List<BlockSlice> slices = run.slices(span.from(), span.rows());
                layout.add(new ReduceLayout.Run(
                        inputs.size(), slices.size(), span.rows(), span.partitionRows(), run.schema()));
                rows += span.rows();
                bytes += run.bytesOf(span.rows());
                inputs.addAll(slices);
            }
            if (layout.isEmpty()) {
                nothing(runs.get(side), inputs, layout);
            }
            sides.add(layout);
        }
        releaseUnneeded(part);
        ReduceLayout layout = new ReduceLayout(
                part.firstPartition(), part.partitions(), sides, part.argument(), plan.targetBytes(), plan.mostBytes());
        return new TaskRun(
                this, programs.reduce(plan.reducer(), layout, plan.tail(), plan.verb()), inputs, rows, bytes);
    }

    /// A part has rows of all map tasks: they are added up once for each, however often its task is considered.
    @Override
    void tallyInput(NodeBytes bytes) {
        ReducePart next = parts.peek();
        if (next == null) {
            super.tallyInput(bytes);
            return;
        }
        int version = host.shares().version();
        if (parts.size() != talliedLeft || version != talliedVersion) {
            talliedLeft = parts.size();
            talliedVersion = version;
            nextBytes.clear();
            for (int side = 0; side < runs.size(); side++) {
                for (ShardSpan span : next.sides().get(side)) {
                    runs.get(side).get(span.output()).tally(span.from(), span.rows(), nextBytes);
                }
            }
        }
        bytes.addAll(nextBytes);
    }

    /// A side without rows in this part still provides its schema.
    private static void nothing(List<HeldRun> runs, List<BlockSlice> inputs, List<ReduceLayout.Run> layout) {
        for (HeldRun run : runs) {
            BlockSlice empty = run.nothing();
            if (empty != null) {
                layout.add(new ReduceLayout.Run(inputs.size(), 1, 0, null, run.schema()));
                inputs.add(empty);
                return;
            }
        }
    }

    private void countUses() {
        for (List<HeldRun> side : runs) {
            uses.add(new int[side.size()]);
        }
        for (ReducePart part : parts) {
            for (int side = 0; side < uses.size(); side++) {
                for (ShardSpan span : part.sides().get(side)) {
                    uses.get(side)[span.output()]++;
                }
            }
        }
    }

    /// Releases the blocks that no later part needs. The last run of a side stays to the end, for its schema.
    private void releaseUnneeded(ReducePart taken) {
        if (parts.isEmpty()) {
            releaseAll();
            return;
        }
        for (int side = 0; side < runs.size(); side++) {
            List<HeldRun> ofSide = runs.get(side);
            for (ShardSpan span : taken.sides().get(side)) {
                int left = --uses.get(side)[span.output()];
                if (left == 0 && span.output() < ofSide.size() - 1) {
                    ofSide.get(span.output()).release();
                }
            }
            for (ShardSpan span : parts.peek().sides().get(side)) {
                ofSide.get(span.output()).releaseBefore(span.from());
            }
        }
    }

    private void releaseAll() {
        held.forEach(side -> side.values().forEach(HeldRun::release));
        held.forEach(Map::clear);
        runs.forEach(side -> side.forEach(HeldRun::release));
    }

    @Override
    long guessOutputBytes() {
        ReducePart next = parts.peek();
        if (next == null) {
            return 0;
        }
        long bytes = 0;
        for (int side = 0; side < runs.size(); side++) {
            for (ShardSpan span : next.sides().get(side)) {
                bytes += runs.get(side).get(span.output()).bytesOf(span.rows());
            }
        }
        return bytes;
    }

    @Override
    OptionalLong totalTasks() {
        return divided ? OptionalLong.of(partsInAll) : OptionalLong.empty();
    }

    @Override
    String site() {
        return plan.site();
    }

    @Override
    String lines() {
        return plan.tail() == null
                ? plan.site()
                : CallSite.joined(plan.site(), plan.tail().lines());
    }

    @Override
    boolean writes() {
        return plan.tail() != null && plan.tail().writes();
    }

    @Override
    void onStop() {
        parts.clear();
        releaseAll();
        super.onStop();
    }
}
