package dev.millrace.internal.resource;

import dev.millrace.compute.Resources;

/// The session's resources, divided fairly among the runs that want them. Thread-safe.
///
/// A run takes what it needs while its own use stays within its fair share (all there is by the number of runs that
/// want some), or beyond that while no other run is waiting for its share. What is given back wakes the runs that
/// were refused.
public interface CapacityShare {
    /// All there is for the session.
    Resources total();

    /// What is in use now, by all runs.
    Resources used();

    /// A run joins; `onFreed` is called (from any thread, cheaply) when something it was refused may be there now.
    Member join(String name, Runnable onFreed);

    /// One run's part.
    interface Member extends AutoCloseable {
        /// True if the amount is now taken; false notes that this run waits.
        boolean tryTake(Resources amount);

        void giveBack(Resources amount);

        /// Nothing that this run wants is refused any more: it no longer waits.
        void settled();

        /// The fair part of anything that runs share, e.g. block memory: 1 by the number of runs that want some.
        double part();

        /// What this run could take at most right now: for budgets.
        Resources fairShare();

        @Override
        void close();
    }
}
