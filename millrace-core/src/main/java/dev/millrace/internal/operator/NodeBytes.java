package dev.millrace.internal.operator;

import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the input of one task is: bytes by node. Blocks of the caller's process, or of a node that is gone, count for
/// none. Reused for each task; loop thread only.
final class NodeBytes {
    private final CapacityShare shares;
    private final List<NodeRoom> nodes = new ArrayList<>();
    private long[] bytes = new long[4];

    NodeBytes(CapacityShare shares) {
        this.shares = shares;
    }

    void clear() {
        nodes.clear();
    }

    void add(BlockSlice slice) {
        add(slice, slice.sizeBytes());
    }

    void add(BlockSlice slice, long size) {
        String name = slice.block().node();
        NodeRoom node = name == null ? null : shares.node(name);
        if (node == null) {
            return;
        }
        add(node, size);
    }

    private void add(NodeRoom node, long size) {
        int at = nodes.indexOf(node);
        if (at < 0) {
            at = nodes.size();
            nodes.add(node);
            if (at == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * at);
            }
            bytes[at] = 0;
        }
        bytes[at] += size;
    }

    void addAll(NodeBytes others) {
        for (int i = 0; i < others.nodes.size(); i++) {
            add(others.nodes.get(i), others.bytes[i]);
        }
    }

    /// The node with most of the bytes; null if no node has any.
    @Nullable
    NodeRoom most() {
        return nodes.isEmpty() ? null : nodes.get(indexOfMost());
    }

    /// What it has more than any other.
    long lead() {
        if (nodes.isEmpty()) {
            return 0;
        }
        int most = indexOfMost();
        long second = 0;
        for (int i = 0; i < nodes.size(); i++) {
            second = i == most ? second : Math.max(second, bytes[i]);
        }
        return bytes[most] - second;
    }

    private int indexOfMost() {
        int most = 0;
        for (int i = 1; i < nodes.size(); i++) {
            most = bytes[i] > bytes[most] ? i : most;
        }
        return most;
    }
}
