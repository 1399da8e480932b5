package dev.millrace.internal.resource;

import dev.millrace.compute.Resources;
import java.util.Collection;
import java.util.List;

/// The session's resources, divided fairly among the runs that want them. Thread-safe.
///
/// A run takes what it needs while its own use of that resource stays within its fair share (all there is by the number
/// of runs that want some), or if it has none of it yet; beyond that while no other run is waiting for something that
/// it is entitled to by the same rule. So whoever is refused for the sake of another is so for one who can take it.
/// Whatever changes that wakes exactly the runs that were refused something which they may take now.
public interface CapacityShare {
    /// All there is for the session.
    Resources total();

    /// What is in use now, by all runs.
    Resources used();

    /// A run joins; `onFreed` is called (from any thread, cheaply) when something it was refused may be there now.
    Member join(String name, Runnable onFreed);

    /// One run's part.
    interface Member extends AutoCloseable {
        /// True if the amount is now taken; false notes that this run waits for it.
        boolean tryTake(Resources amount);

        /// The same for what the run can do without: it does not wait for it.
        boolean tryTakeSpare(Resources amount);

        void giveBack(Resources amount);

        /// This is all that the run was refused and still wants; it no longer waits for anything else.
        void waitsFor(Collection<Resources> refused);

        /// Nothing that this run wants is refused any more.
        default void settled() {
            waitsFor(List.of());
        }

        /// The fair part of anything that runs share, e.g. block memory: 1 by the number of runs that want some.
        double part();

        /// The run is woken when its [#part] grows: something was refused because it is small.
        void watchPart();

        /// What this run could take at most right now: for budgets.
        Resources fairShare();

        @Override
        void close();
    }
}
