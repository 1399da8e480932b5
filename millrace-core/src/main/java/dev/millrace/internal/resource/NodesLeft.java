package dev.millrace.internal.resource;

import dev.millrace.compute.Resources;
import java.util.ArrayList;
import java.util.List;

/// What several nodes would have left: whether some more amounts fit, each on one node.
public final class NodesLeft {
    private final List<Resources> left = new ArrayList<>();

    public void add(Resources node) {
        left.add(node);
    }

    /// Takes the amount from the first node that has it.
    public boolean place(Resources amount) {
        for (int i = 0; i < left.size(); i++) {
            if (amount.fitsIn(left.get(i))) {
                left.set(i, left.get(i).minus(amount));
                return true;
            }
        }
        return false;
    }

    /// Whether a node has the amount.
    public boolean fits(Resources amount) {
        return left.stream().anyMatch(amount::fitsIn);
    }
}
