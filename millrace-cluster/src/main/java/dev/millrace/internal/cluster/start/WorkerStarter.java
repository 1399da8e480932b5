package dev.millrace.internal.cluster.start;

import dev.millrace.compute.Resources;
import java.util.List;
import java.util.Optional;

/// Starts workers, or knows where others started them, and tells of those that come and go. The cluster runtime
/// connects to each; how many CPUs, GPUs and bytes a worker has, it says itself when it is connected to.
///
/// [#close] stops exactly what this starter started. Thread-safe.
public interface WorkerStarter extends AutoCloseable {
    /// Begins; returns soon. The listener is called from any thread, also before this returns.
    ///
    /// @param token the secret that workers are to be started with: every connection to them must know it
    void start(String token, Listener listener);

    /// How many workers there will be, as far as is known at the start: the session waits for the first, and not for
    /// all. At least 1.
    default int expected() {
        return 1;
    }

    /// Whether its workers have this process's class path, so that no classes need to be sent.
    default boolean sharesClassPath() {
        return false;
    }

    /// Whether it can get more workers than there are: then [#obtain] and [#want] are used.
    default boolean canGrow() {
        return false;
    }

    /// Asks for a machine that has this much, and waits until it is known whether there is one; its worker joins later.
    ///
    /// @return why there is none, as a part of a sentence; empty if there is one
    default Optional<String> obtain(Resources need) {
        return Optional.of("this cluster does not grow");
    }

    /// Replaces what work waits for: each is to find room at once on machines that are to come; empty: nothing waits.
    default void want(List<Resources> waiting) {}

    /// Stops what was started, and waits for its end.
    @Override
    void close();

    /// Hears of workers.
    interface Listener {
        /// A worker listens there.
        void joined(WorkerAddress worker);

        /// A worker that had joined has ended, or will at once. The runtime also notices by itself when a connection
        /// breaks, so this may come late, or not at all.
        ///
        /// @param why a part of a sentence: "its process ended with code 137"
        void left(WorkerAddress worker, String why);

        /// No worker comes, or no further one: a sentence that says why and what to do. Ends a session that waits for
        /// its first worker.
        void failed(String why);
    }
}
