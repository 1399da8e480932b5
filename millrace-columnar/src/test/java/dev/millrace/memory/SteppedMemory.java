package dev.millrace.memory;

import java.util.function.LongSupplier;

/// The memory of a session without threads: who has to wait stands in the real line and, when the test says so, looks
/// again if it was woken, or by the test's clock. Bytes are counted only.
public final class SteppedMemory {
    private final Allocator root;

    public SteppedMemory(long limit, LongSupplier clock) {
        root = Allocator.root("memory", limit, clock);
    }

    /// Who stands in line, and what moves.
    public String describe() {
        return root.line().toString();
    }

    public Allocator root() {
        return root;
    }

    /// A task begins to compute.
    public MemoryTurn begin(Allocator account, long task) {
        return MemoryTurn.begin(root.line(), account, task);
    }

    public void release(Allocator account, long bytes) {
        account.discharge(bytes);
    }

    public void move(Allocator from, Allocator to, long bytes) {
        if (from != to) {
            from.discharge(bytes);
            to.charge(bytes, Long.MAX_VALUE);
        }
    }

    /// Asks for bytes, as a task or a consumer; like [Allocator#allocate], this may give them at once.
    public Request ask(Allocator account, MemoryTurn turn, long bytes) {
        return new Request(account, turn, bytes);
    }

    /// What somebody asked for.
    public final class Request {
        private final boolean consumer;
        private MemoryWaiter waiter;
        private boolean hasLooked;

        private Request(Allocator account, MemoryTurn turn, long bytes) {
            consumer = turn == null;
            MemoryLine line = root.line();
            long bound = consumer ? Long.MAX_VALUE : line.limits().calm();
            if (!consumer && !line.isEmpty() || account.charge(bytes, bound) != null) {
                waiter = line.join(account, bytes, consumer, turn);
            }
        }

        public boolean isWaiting() {
            return waiter != null;
        }

        /// Whether it has a reason to look again; at first it has.
        public boolean hasNews() {
            return waiter == null || !hasLooked || root.line().hasNews(waiter);
        }

        /// Looks again if it has a reason to; true if it has its bytes now.
        ///
        /// @throws MemoryYielded as in [MemoryLine#escalate]
        /// @throws MemoryRefused as in [MemoryLine#escalate]
        public boolean look() {
            if (!hasNews()) {
                return false;
            }
            hasLooked = true;
            if (waiter == null || root.line().tryCharge(waiter)) {
                leave();
                return true;
            }
            try {
                if (root.line().escalate(waiter)) {
                    root.notifyAllRuns();
                }
                return false;
            } catch (RuntimeException e) {
                leave();
                throw e;
            }
        }

        /// Waits no more.
        public void leave() {
            if (waiter != null) {
                root.line().leave(waiter);
                waiter = null;
            }
        }
    }
}
