package dev.millrace.internal.plan;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.internal.plan.physical.MemoryShare;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.settings.Settings;

/// The memory that a plan will hold at once, estimated before anything runs: task slots times the largest block. A
/// block may reach one and a half times the target before it is cut; a task holds the one it reads and the one it
/// produces.
///
/// @param settled the target that was set, if it is larger than the limit allows; else 0
record ExpectedMemory(long slots, long largestBlock, long limit, long settled) {
    /// @param tasks of the plan that run at once, as block sizes have it
    static ExpectedMemory of(PhysicalPlan plan, Settings settings, Resources capacity, long tasks) {
        long asked = settings.blocks().targetBytes();
        long target =
                MemoryShare.fit(settings.blocks(), tasks, capacity.memory(), 0).targetBytes();
        return new ExpectedMemory(
                Math.max(1, slots(plan, capacity)), target * 3 / 2, capacity.memory(), target < asked ? asked : 0);
    }

    long bytes() {
        return slots * largestBlock;
    }

    /// The maximum number of tasks that can run at one time: the operators share the CPUs, so the largest demand of one
    /// bounds all, except for operators that take no CPU.
    private static long slots(PhysicalPlan plan, Resources capacity) {
        long own = switch (plan) {
            case PhysicalPlan.Read read -> fitting(read.resources(), capacity, read.maxConcurrency());
            case PhysicalPlan.Map map ->
                switch (map.strategy()) {
                    case Compute.Tasks(int cap) -> fitting(map.resources(), capacity, cap);
                    case Compute.Actors pool -> (long) pool.max() * pool.concurrency();
                };
            case PhysicalPlan.Zip zip -> fitting(zip.resources(), capacity, Integer.MAX_VALUE);
            case PhysicalPlan.Mix mix -> fitting(mix.resources(), capacity, Integer.MAX_VALUE);
            case PhysicalPlan.Exchange exchange -> fitting(exchange.resources(), capacity, Integer.MAX_VALUE);
            case PhysicalPlan.Rows rows -> fitting(rows.resources(), capacity, Integer.MAX_VALUE);
            case PhysicalPlan.Blocks _, PhysicalPlan.Limit _, PhysicalPlan.Union _, PhysicalPlan.BlockOrder _ -> 0;
        };
        return plan.inputs().stream().mapToLong(input -> slots(input, capacity)).reduce(own, Math::max);
    }

    private static long fitting(Resources need, Resources capacity, long cap) {
        double byCpu = need.cpus() > 0 ? capacity.cpus() / need.cpus() : cap;
        double byGpu = need.gpus() > 0 ? capacity.gpus() / need.gpus() : cap;
        return (long) Math.max(1, Math.min((double) cap, Math.min(byCpu, byGpu)));
    }

    @Override
    public String toString() {
        return "Expected memory: at most " + slots + (slots == 1 ? " task" : " tasks") + " x " + mib(largestBlock)
                + " (1.5 x the target block) = " + mib(bytes()) + ", of " + mib(limit) + " for blocks."
                + (settled > 0
                        ? " Blocks aim at " + mib(largestBlock * 2 / 3) + ", not at the " + mib(settled)
                                + " that are set, because of that limit."
                        : "")
                + (bytes() > limit ? " That is more than the limit: use smaller blocks (BlockSettings)." : "");
    }

    private static String mib(long bytes) {
        return bytes >= 1L << 30 && bytes % (1L << 30) == 0 ? (bytes >> 30) + " GiB" : (bytes >> 20) + " MiB";
    }
}
