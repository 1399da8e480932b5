package dev.millrace.internal.recovery;

import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.NodeEvent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The names of all nodes that were lost; none of them comes back. Thread-safe.
final class LostNodes {
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private volatile boolean any;

    void accept(NodeEvent event) {
        if (event instanceof NodeEvent.Lost(String node)) {
            names.add(node);
            any = true;
        }
    }

    /// Whether the block was on one of them.
    boolean had(BlockRef block) {
        if (!any) {
            return false;
        }
        String node = block.node();
        return node != null && names.contains(node);
    }
}
