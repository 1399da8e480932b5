package dev.millrace.internal.resource;

import java.util.List;

/// The block memory of workers that have one of their own.
///
/// @param bytes of all nodes together
/// @param evenBytes the same where each node counts as if it had no more for each of its CPUs than the poorest: a
/// task's
///     part of it fits into every node
/// @param leastNode of the node with the least: what any task can have
public record NodeMemory(long bytes, long evenBytes, long leastNode) {
    /// Tasks use the caller's memory, or nothing is known of the nodes'.
    public static final NodeMemory NONE = new NodeMemory(0, 0, 0);

    static NodeMemory of(List<NodeRoom> nodes) {
        double perCpu = Double.MAX_VALUE;
        double cpus = 0;
        long all = 0;
        long least = Long.MAX_VALUE;
        for (NodeRoom node : nodes) {
            if (node.blockMemory() > 0) {
                double own = Math.max(1, node.total().cpus());
                perCpu = Math.min(perCpu, node.blockMemory() / own);
                cpus += own;
                all += node.blockMemory();
                least = Math.min(least, node.blockMemory());
            }
        }
        return all == 0 ? NONE : new NodeMemory(all, (long) (perCpu * cpus), least);
    }

    public boolean isKnown() {
        return bytes > 0;
    }
}
