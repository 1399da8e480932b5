package dev.millrace.memory;

import org.jspecify.annotations.Nullable;

/// How one account is charged with the requests made to it: at once, after others were asked for relief, after waiting
/// in the [MemoryLine], or not at all, as its [Patience] says. Thread-safe.
final class MemoryCharges {
    /// Requests up to this size skip the check of a task's largest single request.
    private static final long LARGE = 1 << 20;

    private final Allocator account;
    private final MemoryLine line;
    private final Patience patience;

    MemoryCharges(Allocator account, MemoryLine line, Patience patience) {
        this.account = account;
        this.line = line;
        this.patience = patience;
    }

    /// Charges the account and those above it. If the tree is full, asks for relief or waits.
    void charge(long size) {
        if (size > LARGE && size > MemoryTurn.mostAtOnce()) {
            throw MemoryErrors.neverFits(account, size, MemoryTurn.mostAtOnce());
        }
        // Tasks do not overtake requests that are already in line.
        if ((patience != Patience.TASK || line.isEmpty()) && chargeNow(size) == null) {
            return;
        }
        Allocator root = account.root();
        Allocator full = patience == Patience.TASK && !line.isEmpty() ? root : chargeNow(size);
        MemoryRelief relief = root.ownRelief();
        while (full == root && relief != null && spills(relief, root, size)) {
            full = chargeNow(size);
        }
        if (full == null) {
            return;
        }
        boolean waits = patience != Patience.NONE || MemoryTurn.current() != null;
        if (full != root || !waits) {
            throw MemoryErrors.full(full, account.name(), size);
        }
        line.charge(account, size, patience == Patience.CONSUMER, relief);
    }

    /// Charges what is there without waiting; returns the account that is full, or null if there is none.
    @Nullable
    Allocator chargeNow(long size) {
        return account.charge(size, bound());
    }

    /// A spilling thread counts as active, since others in line wait for it.
    private boolean spills(MemoryRelief relief, Allocator root, long size) {
        line.active(1);
        try {
            return relief.relieve(size, Math.min(bound(), root.ownLimit()));
        } finally {
            line.active(-1);
        }
    }

    /// How far this account may fill the tree without waiting.
    private long bound() {
        return patience == Patience.TASK ? line.limits().calm() : Long.MAX_VALUE;
    }
}
