package dev.millrace.internal.source;

import dev.millrace.memory.Allocator;
import dev.millrace.memory.Patience;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// The memory for looks into files before there is a run: the session's, where one asks.
public final class LookMemory {
    /// Of one look without a session.
    private static final long ALONE = 256 << 20;

    private static final ScopedValue<Allocator> SESSION = ScopedValue.newInstance();

    private LookMemory() {}

    /// Has the looks of this thread, until `work` ends, count on a session's account.
    public static <T> T of(Allocator session, Supplier<T> work) {
        return ScopedValue.where(SESSION, session).call(work::get);
    }

    /// The same for work that another thread does on behalf of this one.
    static <T> Callable<T> carried(Callable<T> work) {
        if (!SESSION.isBound()) {
            return work;
        }
        Allocator session = SESSION.get();
        return () -> ScopedValue.where(SESSION, session).call(work::call);
    }

    /// An account for one look, which the caller closes.
    static Allocator open(String name) {
        return SESSION.isBound() ? SESSION.get().child(name, Patience.CONSUMER) : Allocator.root(name, ALONE);
    }
}
