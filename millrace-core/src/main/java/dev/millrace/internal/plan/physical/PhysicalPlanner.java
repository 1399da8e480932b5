package dev.millrace.internal.plan.physical;

import dev.millrace.compute.Compute;
import dev.millrace.compute.ReadTasks;
import dev.millrace.compute.Resources;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.sink.WriteStep;
import dev.millrace.internal.transform.BatchStep;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.ConformStep;
import dev.millrace.internal.transform.DownloadStep;
import dev.millrace.internal.transform.ExplodeStep;
import dev.millrace.internal.transform.FilterStep;
import dev.millrace.internal.transform.LimitStep;
import dev.millrace.internal.transform.ProjectStep;
import dev.millrace.internal.transform.RowStep;
import dev.millrace.internal.transform.SampleStep;
import dev.millrace.internal.transform.TransformStep;
import dev.millrace.internal.transform.VerbSite;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.Settings;
import dev.millrace.source.Source;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.util.Optional;
import java.util.OptionalLong;

/// Turns an optimized logical plan into the operators that run: every node becomes a step, and [OperatorFusion] decides
/// which steps share a task.
public final class PhysicalPlanner {
    private static final Resources ONE_CPU = Resources.cpus(1);
    /// Reads that wait more than they compute have splits for so many tasks.
    private static final int MAX_AT_ONCE = 100;

    private final BlockSettings blocks;
    private final Resources capacity;
    private final boolean ships;
    private final OperatorFusion fusion;
    private final ShufflePlanner shuffles;

    private PhysicalPlanner(
            LogicalPlan plan,
            Settings settings,
            Resources capacity,
            long blockBytes,
            long nodeBytes,
            int otherRuns,
            boolean ships) {
        BlockSettings blocks =
                MemoryShare.fit(settings.blocks(), TasksAtOnce.of(plan, capacity), blockBytes, otherRuns);
        this.capacity = capacity;
        // Where memory is little, blocks are small, and so are tasks: the rows of one are in memory together, as
        // states.
        this.ships = ships && blocks.targetBytes() == settings.blocks().targetBytes();
        this.fusion = new OperatorFusion(blocks, MemoryShare.ofBatch(capacity, blockBytes), capacity.cpus());
        this.blocks = blocks;
        this.shuffles = new ShufflePlanner(
                fusion,
                blocks,
                capacity,
                MemoryShare.ofShuffle(blocks, capacity, blockBytes),
                MemoryShare.ofTable(JoinSides.count(plan), nodeBytes));
    }

    /// @param blockBytes block memory of the session: with little memory blocks are made smaller
    /// @param capacity of the session: determines how many splits a read makes and how far a pool may grow
    public static PhysicalPlan plan(LogicalPlan plan, Settings settings, Resources capacity, long blockBytes) {
        return plan(plan, settings, capacity, blockBytes, blockBytes, 0, 0, false);
    }

    /// @param nodeBytes of it, on any single node: what is the same in all tasks must fit there
    /// @param otherRuns of the session that are open now: the more there are, the smaller the blocks
    /// @param batchRows rows of the batches that the consumer cuts; 0: not known
    /// @param ships whether tasks go to other processes: reads make fewer of them
    public static PhysicalPlan plan(
            LogicalPlan plan,
            Settings settings,
            Resources capacity,
            long blockBytes,
            long nodeBytes,
            int otherRuns,
            long batchRows,
            boolean ships) {
        PhysicalPlanner planner =
                new PhysicalPlanner(plan, settings, capacity, blockBytes, nodeBytes, otherRuns, ships);
        return planner.fusion.forConsumer(planner.convert(plan), batchRows);
    }

    private PhysicalPlan convert(LogicalPlan plan) {
        return switch (plan) {
            case LogicalPlan.Read read -> read(read);
            case LogicalPlan.Blocks blocks -> new PhysicalPlan.Blocks("Blocks", blocks.blocks());
            case LogicalPlan.TransformRows rows ->
                fusion.append(
                        convert(rows.input()),
                        RowStep.of(rows.name(), rows.operation(), rows.compute().onError()),
                        need(rows.compute(), rows.operation().isStateful()),
                        rows.site());
            case LogicalPlan.TransformBatches batches ->
                fusion.append(
                        convert(batches.input()),
                        BatchStep.of(batches.name(), batches.operation(), batches.compute()),
                        need(batches.compute(), batches.operation().isStateful()),
                        batches.site());
            case LogicalPlan.Filter filter ->
                free(
                        filter.input(),
                        new FilterStep(filter.predicate(), filter.onError(), filter.site()),
                        filter.site());
            case LogicalPlan.Project project ->
                free(
                        project.input(),
                        new ProjectStep(project.projection(), project.onError(), project.site()),
                        project.site());
            case LogicalPlan.Sample sample ->
                free(sample.input(), new SampleStep(sample.fraction(), sample.seed(), sample.rest()));
            case LogicalPlan.Explode explode ->
                free(explode.input(), new ExplodeStep(explode.column(), explode.keepEmpty()));
            case LogicalPlan.Download download ->
                free(download.input(), new DownloadStep(download.column(), download.options()));
            case LogicalPlan.Limit limit -> limit(limit);
            case LogicalPlan.Union union ->
                new PhysicalPlan.Union(
                        "Union",
                        union.inputs().stream()
                                .map(input -> conformed(input, union.schema(), new VerbSite("union", union.site())))
                                .toList());
            case LogicalPlan.Mix mix ->
                new PhysicalPlan.Mix(
                        "Mix",
                        mix.inputs().stream()
                                .map(input -> conformed(input, mix.schema(), new VerbSite("mix", mix.site())))
                                .toList(),
                        mix.weights(),
                        mix.stop(),
                        ONE_CPU,
                        blocks.targetBytes(),
                        mix.site());
            case LogicalPlan.Zip zip ->
                new PhysicalPlan.Zip(
                        "Zip",
                        convert(zip.left()),
                        convert(zip.right()),
                        fusion.emptyChain("Zip"),
                        ONE_CPU,
                        zip.site());
            case GroupPlan.MapGroups groups ->
                shuffles.plan(
                        groups,
                        convert(groups.input()),
                        need(groups.compute(), groups.operation().isStateful()));
            case GroupPlan.GroupBy groups -> shuffles.plan(groups, convert(groups.input()));
            case LogicalPlan.Unpivot unpivot -> free(unpivot.input(), unpivot.step());
            case GroupPlan.Pivot pivot -> shuffles.plan(pivot, convert(pivot.input()));
            case GroupPlan.Distinct distinct -> shuffles.plan(distinct, convert(distinct.input()));
            case LogicalPlan.TopRows top -> shuffles.plan(top, convert(top.input()));
            case LogicalPlan.Windowed windowed -> shuffles.plan(windowed, convert(windowed.input()));
            case ShufflePlan shuffle -> shuffles.plan(shuffle, convert(shuffle.input()));
            case LogicalPlan.Joined joined -> shuffles.join(joined, convert(joined.left()), convert(joined.right()));
            case LogicalPlan.Write write -> write(write);
        };
    }

    /// A write uses CPU and disk, so it is fused with tasks and never with actors. Rows per file are counted in the
    /// rows that are written: bundling needs an operator of its own.
    private PhysicalPlan write(LogicalPlan.Write write) {
        PhysicalPlan input = convert(write.input());
        TransformStep step = new WriteStep(write.sink(), write.job());
        OperatorFusion.Need need = new OperatorFusion.Need(
                new Compute.Tasks(Integer.MAX_VALUE), ONE_CPU, write.sink().minRowsPerTask());
        if (need.batchRows() > 1) {
            return fusion.newMap(input, step, need, write.site());
        }
        PhysicalPlan writing = fusion.append(input, step, need, write.site());
        // As many rows are written as would have come out.
        return input instanceof PhysicalPlan.Read before && writing instanceof PhysicalPlan.Read joined
                ? joined.withTotalRows(before.totalRows())
                : writing;
    }

    private PhysicalPlan read(LogicalPlan.Read read) {
        Source source = read.source();
        return new PhysicalPlan.Read(
                source.name(),
                source,
                request(source, read.tasks()),
                fusion.emptyChain(source.name()).withRead(read.onError(), read.site()),
                read.tasks().resources(),
                read.tasks().concurrency(),
                read.onError().isFail() ? source.rows() : OptionalLong.empty());
    }

    private SplitRequest request(Source source, ReadTasks tasks) {
        long min = blocks.minBytes();
        long max = blocks.targetBytes();
        if (tasks.blocks() > 0) {
            return new SplitRequest(tasks.blocks(), true, min, max);
        }
        long bytes = source.sizeBytes().orElse(0);
        SplitRequest bySize = SplitRequest.forSize(bytes, atOnce(tasks), min, max);
        return ships ? bySize.forShipping(bytes, atOnce(tasks)) : bySize;
    }

    /// How many tasks there should be splits for: as many as can run at once, and one for each CPU, which what follows
    /// the read has use for.
    private int atOnce(ReadTasks tasks) {
        double byCpu = tasks.cpus() > 0 ? capacity.cpus() / tasks.cpus() : MAX_AT_ONCE;
        double running = Math.min(Math.min(byCpu, MAX_AT_ONCE), tasks.concurrency());
        return (int) Math.ceil(Math.max(capacity.cpus(), running));
    }

    private PhysicalPlan free(LogicalPlan input, TransformStep step) {
        return free(input, step, CallSite.UNKNOWN);
    }

    private PhysicalPlan free(LogicalPlan input, TransformStep step, String site) {
        return fusion.append(convert(input), step, OperatorFusion.Need.NOTHING, site);
    }

    /// Tasks below a limit stop once they alone have produced enough rows.
    private PhysicalPlan limit(LogicalPlan.Limit limit) {
        PhysicalPlan input = convert(limit.input());
        long needed = limit.offset() > Long.MAX_VALUE - limit.rows() ? Long.MAX_VALUE : limit.offset() + limit.rows();
        boolean hasTasks = input instanceof PhysicalPlan.Read || input instanceof PhysicalPlan.Map;
        if (hasTasks && needed < Long.MAX_VALUE) {
            input = fusion.append(input, new LimitStep(needed), OperatorFusion.Need.NOTHING, CallSite.UNKNOWN);
        }
        String name = limit.rows() == Long.MAX_VALUE
                ? "Offset(" + limit.offset() + ")"
                : "Limit(" + (limit.offset() == 0 ? "" : limit.offset() + ", ") + limit.rows() + ")";
        return new PhysicalPlan.Limit(name, input, limit.offset(), limit.rows());
    }

    private PhysicalPlan conformed(LogicalPlan input, Optional<Schema> common, VerbSite verb) {
        return common.isEmpty() || common.equals(input.schema())
                ? convert(input)
                : free(input, new ConformStep(common.get(), verb));
    }

    private OperatorFusion.Need need(Compute compute, boolean stateful) {
        Compute.Strategy strategy = compute.strategy();
        if (strategy == null) {
            strategy = stateful ? growingPool(compute.resources()) : new Compute.Tasks(Integer.MAX_VALUE);
        }
        long batchRows = compute.batchSize() == null ? 0 : Math.max(0, compute.batchSize());
        return new OperatorFusion.Need(strategy, compute.resources(), batchRows);
    }

    /// A class without a pool of its own gets one from 1 actor up to what the session can hold.
    private Compute.Actors growingPool(Resources each) {
        double byCpu = each.cpus() > 0 ? capacity.cpus() / each.cpus() : Integer.MAX_VALUE;
        double byGpu = each.gpus() > 0 ? capacity.gpus() / each.gpus() : Integer.MAX_VALUE;
        int max = (int) Math.max(1, Math.min(Math.min(byCpu, byGpu), Math.max(1, capacity.cpus())));
        return new Compute.Actors(1, max, 1, 1);
    }
}
