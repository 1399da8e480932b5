package dev.millrace.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The bytes that an account holds, and their peak, against its limit. Counters form the same tree as their accounts: a
/// charge to one counts on every one above it. Thread-safe, without locks.
final class HeldBytes {
    private final @Nullable HeldBytes above;
    private final long limit;
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();

    /// @param above null for the root
    HeldBytes(@Nullable HeldBytes above, long limit) {
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

    /// Adds to this counter and all above it; or adds to none and returns the one that is full.
    ///
    /// @param bound how far this request may fill the root, if that is below its limit
    @Nullable
    HeldBytes charge(long bytes, long bound) {
        for (HeldBytes a = this; a != null; a = a.above) {
            if (!a.add(bytes, a.above == null ? Math.min(bound, a.limit) : a.limit)) {
                for (HeldBytes undo = this; undo != null && undo != a; undo = undo.above) {
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

    /// Adds to this counter only, unless it would exceed its limit, so that a refused request takes no room from
    /// others.
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

    /// Moves bytes to another account of the tree. The common ancestors stay unchanged: the bytes must not appear free
    /// even for a moment.
    void moveTo(HeldBytes target, long bytes) {
        for (HeldBytes a = this; a != null && !a.isAtOrAbove(target); a = a.above) {
            a.held.addAndGet(-bytes);
        }
        for (HeldBytes a = target; a != null && !a.isAtOrAbove(this); a = a.above) {
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
