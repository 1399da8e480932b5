package dev.millrace.internal.plan.physical;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;

/// How many tasks of one operator of a plan can run at once, each with its blocks in memory: as many as there are CPUs,
/// and more where reads or functions take a part of one each.
public final class TasksAtOnce {
    private TasksAtOnce() {}

    /// Of tasks that take no CPU, whose number only memory and demand bound, none is counted.
    public static long of(LogicalPlan plan, Resources capacity) {
        long own = switch (plan) {
            case LogicalPlan.Read read ->
                fitting(read.tasks().resources(), read.tasks().concurrency(), capacity);
            case LogicalPlan.TransformRows rows ->
                of(rows.compute(), rows.operation().isStateful(), capacity);
            case LogicalPlan.TransformBatches batches ->
                of(batches.compute(), batches.operation().isStateful(), capacity);
            case GroupPlan.MapGroups groups ->
                of(groups.compute(), groups.operation().isStateful(), capacity);
            default -> 1;
        };
        long cpus = Math.max(1, (long) Math.ceil(capacity.cpus()));
        return plan.inputs().stream().mapToLong(input -> of(input, capacity)).reduce(Math.max(cpus, own), Math::max);
    }

    private static long of(Compute compute, boolean isStateful, Resources capacity) {
        return switch (compute.strategy()) {
            case Compute.Tasks(int most) -> fitting(compute.resources(), most, capacity);
            case null -> isStateful ? 1 : fitting(compute.resources(), Integer.MAX_VALUE, capacity);
            case Compute.Actors _ -> 1;
        };
    }

    private static long fitting(Resources each, int most, Resources capacity) {
        return each.cpus() > 0 ? (long) Math.min(most, capacity.cpus() / each.cpus()) : 1;
    }
}
