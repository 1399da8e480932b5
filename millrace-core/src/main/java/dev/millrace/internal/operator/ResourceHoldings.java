package dev.millrace.internal.operator;

import dev.millrace.compute.Resources;

/// Equal amounts of resources that an operator's tasks, or its actors at work, have acquired. Tasks that wait for
/// memory give theirs back meanwhile: other tasks, which may free memory, need them. A task does not reacquire them
/// when it continues; for that time, one more task runs than there are resources for. Loop thread only.
final class ResourceHoldings {
    private final OperatorHost host;
    private final Resources each;
    private int holding;
    /// How many of these were given back while as many tasks waited.
    private int givenBack;

    ResourceHoldings(OperatorHost host, Resources each) {
        this.host = host;
        this.each = each;
    }

    /// Acquires one more amount; false when the resources are not available now.
    boolean take() {
        if (!each.equals(Resources.NONE) && !host.take(each)) {
            return false;
        }
        holding++;
        return true;
    }

    /// Releases one amount.
    ///
    /// @param waiting how many tasks wait for memory now
    void giveBack(int waiting) {
        holding--;
        if (givenBack > Math.min(waiting, holding)) {
            // It was given back already, while this task or another one waited.
            givenBack--;
        } else if (!each.equals(Resources.NONE)) {
            host.giveBack(each, false);
        }
    }

    /// Gives back the amounts of the waiting tasks.
    ///
    /// @return whether there were any
    boolean releaseWaiting(int waiting) {
        boolean any = false;
        while (givenBack < Math.min(waiting, holding)) {
            givenBack++;
            if (!each.equals(Resources.NONE)) {
                host.giveBack(each, false);
                any = true;
            }
        }
        return any;
    }
}
