package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;

/// Equal amounts of resources that an operator's tasks, or its actors at work, have taken. What belongs to those that
/// wait for memory is given back meanwhile: others, which may make room, need it. They do not ask for it again when
/// they go on; for that while, one more is at work than there should be. Loop thread only.
final class ResourceHoldings {
    private final OperatorHost host;
    private final Resources each;
    private int holding;
    /// Of these, how many were given back while as many waited.
    private int lent;

    ResourceHoldings(OperatorHost host, Resources each) {
        this.host = host;
        this.each = each;
    }

    /// One more; false when the resources are not there now.
    boolean take() {
        if (!each.equals(Resources.NONE) && !host.take(each)) {
            return false;
        }
        holding++;
        return true;
    }

    /// One less.
    ///
    /// @param waiting how many wait for memory now
    void giveBack(int waiting) {
        holding--;
        if (lent > Math.min(waiting, holding)) {
            // It was given back already, while this one or another one waited.
            lent--;
        } else if (!each.equals(Resources.NONE)) {
            host.giveBack(each, false);
        }
    }

    /// Gives back what belongs to those that wait.
    ///
    /// @return whether there was something
    boolean lend(int waiting) {
        boolean any = false;
        while (lent < Math.min(waiting, holding)) {
            lent++;
            if (!each.equals(Resources.NONE)) {
                host.giveBack(each, false);
                any = true;
            }
        }
        return any;
    }
}
