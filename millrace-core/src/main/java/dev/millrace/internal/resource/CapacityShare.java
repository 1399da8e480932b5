package dev.millrace.internal.resource;

import dev.millrace.compute.Resources;
import java.util.Collection;
import java.util.List;

/// The session's resources, divided fairly among the runs that want them. Thread-safe.
///
/// A run may take resources while its own use of that resource stays within its fair share (the total divided by the
/// number of runs that want some), or if it has none of it yet; beyond that, while no other run waits for an amount
/// that it is entitled to by the same rule. So a run is refused in favour of another only if the other can take the
/// resource. Every change wakes exactly the runs that were refused something which they may take now.
public interface CapacityShare {
    /// All resources of the session.
    Resources total();

    /// The resources in use now, by all runs.
    Resources used();

    /// A run joins that may use everything.
    default Member join(String name, Runnable onFreed) {
        return join(name, total(), onFreed);
    }

    /// A run joins; `onFreed` is called (from any thread; it must be cheap) when something it was refused may be
    /// available now.
    ///
    /// @param most what it may have at once
    Member join(String name, Resources most, Runnable onFreed);

    /// One run's share.
    interface Member extends AutoCloseable {
        /// True if the amount is now taken; false records that this run waits for it.
        boolean tryTake(Resources amount);

        /// The same for an optional amount: the run does not wait for it.
        boolean tryTakeSpare(Resources amount);

        void giveBack(Resources amount);

        /// Replaces what this run waits for: everything that it was refused and still wants.
        void waitsFor(Collection<Resources> refused);

        /// Nothing that this run wants is refused any more.
        default void settled() {
            waitsFor(List.of());
        }

        /// The fair fraction of anything that runs share, e.g. block memory: 1 divided by the number of runs that want
        /// some.
        double part();

        /// Wakes the run when its [#part] grows: a task was refused because the fraction is small.
        void watchPart();

        /// The most that this run could take right now: for budgets.
        Resources fairShare();

        @Override
        void close();
    }
}
