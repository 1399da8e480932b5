package dev.millrace;

import dev.millrace.compute.Resources;
import dev.millrace.internal.observe.SessionView;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NodeMemory;
import dev.millrace.internal.spill.BlockSpiller;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.stats.SpillStats;
import java.util.List;
import java.util.OptionalLong;

/// A session as its dashboard sees it.
record ObservedSession(Runtime of, CapacityShare capacity, Allocator memory, BlockSpiller spiller)
        implements SessionView {
    @Override
    public String runtime() {
        return of.name();
    }

    @Override
    public Resources total() {
        return capacity.total();
    }

    @Override
    public Resources used() {
        return capacity.used();
    }

    @Override
    public long memoryLimit() {
        NodeMemory workers = capacity.memory();
        return workers.isKnown() ? workers.bytes() : memory.limit();
    }

    @Override
    public long memoryHeld() {
        return memory.heldBytes();
    }

    @Override
    public SpillStats spill() {
        return spiller.stats();
    }

    @Override
    public OptionalLong cpuNanos() {
        return of.cpuNanos();
    }

    @Override
    public List<NodeView> nodes() {
        return capacity.nodes().stream()
                .map(node -> new NodeView(node.name(), node.total(), capacity.used(node), node.blockMemory()))
                .toList();
    }
}
