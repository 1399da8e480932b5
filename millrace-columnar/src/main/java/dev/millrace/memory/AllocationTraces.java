package dev.millrace.memory;

import dev.millrace.internal.lifetime.Lifetimes;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Where the live buffers of an account were allocated, for the error of an account that is closed with some; recorded
/// only when lifetimes are checked. Thread-safe.
final class AllocationTraces {
    private final Map<Buffer, Throwable> traces = Lifetimes.CHECKED ? new ConcurrentHashMap<>() : Map.of();

    /// @param how the buffer came to the account, as the first line of its trace
    void record(Buffer buffer, String how) {
        if (Lifetimes.CHECKED) {
            traces.put(buffer, new Throwable(how));
        }
    }

    void forget(Buffer buffer) {
        if (Lifetimes.CHECKED) {
            traces.remove(buffer);
        }
    }

    /// The buffer moves to another account, with its trace.
    void moveTo(AllocationTraces target, Buffer buffer) {
        if (Lifetimes.CHECKED) {
            Throwable origin = traces.remove(buffer);
            target.traces.put(buffer, origin == null ? new Throwable("transferred here") : origin);
        }
    }

    /// Those of the live buffers; empty unless lifetimes are checked.
    Collection<Throwable> all() {
        return traces.values();
    }
}
