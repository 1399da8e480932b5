package dev.millrace.memory;

import java.util.concurrent.atomic.AtomicLong;

/// What an account holds, and held at most, against its limit. Counters form the tree of their accounts: what is
/// charged to one counts on every one above it. Thread-safe, without locks.
final class HeldBytes {
    private final HeldBytes above;
    private final long limit;
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();

    /// @param above null for the root
    HeldBytes(HeldBytes above, long limit) {
        this.above = above;
        this.limit = limit;
    }

    long now() {
        return held.get();
    }

    long peak() {
        return peak.get();
    }

    long limit() {
        return limit;
    }

    /// Adds to this and all above it, or to none and answers the one that is full.
    ///
    /// @param bound how far the root may be filled by this, if that is below its limit
    HeldBytes charge(long bytes, long bound) {
        for (HeldBytes a = this; a != null; a = a.above) {
            if (!a.add(bytes, a.above == null ? Math.min(bound, a.limit) : a.limit)) {
                for (HeldBytes undo = this; undo != a; undo = undo.above) {
                    undo.held.addAndGet(-bytes);
                }
                return a;
            }
        }
        for (HeldBytes a = this; a != null; a = a.above) {
            a.notePeak(Math.min(a.held.get(), a.limit));
        }
        return null;
    }

    /// Adds to this one unless it would pass its limit, so that a refused request takes nobody else's room.
    private boolean add(long bytes, long most) {
        long now = held.get();
        while (bytes <= most - now) {
            long seen = held.compareAndExchange(now, now + bytes);
            if (seen == now) {
                return true;
            }
            now = seen;
        }
        return false;
    }

    void discharge(long bytes) {
        for (HeldBytes a = this; a != null; a = a.above) {
            a.held.addAndGet(-bytes);
        }
    }

    /// Has another account of the tree hold what this one did. Those above both stay as they are: their bytes must not
    /// seem free for a moment.
    void moveTo(HeldBytes target, long bytes) {
        for (HeldBytes a = this; !a.isAtOrAbove(target); a = a.above) {
            a.held.addAndGet(-bytes);
        }
        for (HeldBytes a = target; !a.isAtOrAbove(this); a = a.above) {
            a.notePeak(a.held.addAndGet(bytes));
        }
    }

    private boolean isAtOrAbove(HeldBytes other) {
        for (HeldBytes a = other; a != null; a = a.above) {
            if (a == this) {
                return true;
            }
        }
        return false;
    }

    private void notePeak(long now) {
        if (now > peak.get()) {
            peak.accumulateAndGet(now, Math::max);
        }
    }
}
