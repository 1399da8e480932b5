package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;
import dev.millrace.internal.resource.NodeRoom;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Equal amounts of resources that an operator's tasks, or its actors at work, have acquired, each on a node. Tasks
/// that wait for memory give theirs back meanwhile: other tasks, which may free memory, need them. A task does not
/// reacquire them when it continues; for that time, one more task runs than there are resources for. Loop thread only.
///
/// Only tasks of this process wait so that the engine knows it, and then all are on one node.
final class ResourceHoldings {
    private final OperatorHost host;
    private final Resources each;
    private int holding;
    /// How many of these were given back while as many tasks waited.
    private int givenBack;
    /// Where the last amount was acquired.
    private @Nullable NodeRoom last;

    ResourceHoldings(OperatorHost host, Resources each) {
        this.host = host;
        this.each = each;
    }

    /// Acquires one more amount; null when the resources are not available now.
    @Nullable
    NodeRoom take(@Nullable NodeRoom preferred) {
        NodeRoom node = host.take(each, preferred);
        if (node != null) {
            holding++;
            last = node;
        }
        return node;
    }

    /// The same on that node.
    boolean takeAt(NodeRoom node) {
        if (!host.takeAt(each, node)) {
            return false;
        }
        holding++;
        last = node;
        return true;
    }

    /// Hands one amount over to the tasks of another operator that take as much each.
    void passTo(ResourceHoldings other, NodeRoom node) {
        holding--;
        other.holding++;
        other.last = node;
    }

    /// Releases one amount.
    ///
    /// @param waiting how many tasks wait for memory now
    void giveBack(NodeRoom node, int waiting) {
        holding--;
        if (givenBack > Math.min(waiting, holding)) {
            // It was given back already, while this task or another one waited.
            givenBack--;
        } else {
            host.giveBack(each, node, false);
        }
    }

    /// Gives back the amounts of the waiting tasks.
    ///
    /// @return whether there were any
    boolean releaseWaiting(int waiting) {
        boolean any = false;
        while (givenBack < Math.min(waiting, holding)) {
            givenBack++;
            host.giveBack(each, Objects.requireNonNull(last, "something is held"), false);
            any |= !each.equals(Resources.NONE);
        }
        return any;
    }
}
