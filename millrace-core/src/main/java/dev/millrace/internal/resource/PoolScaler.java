package dev.millrace.internal.resource;

import java.time.Duration;

/// Autoscaling of actor pools: decides how a pool grows and shrinks. A pure function: the caller measures, and passes
/// the time.
public final class PoolScaler {
    /// Calls in flight for each that an actor works on at once; where fewer may be in flight, [#NEARLY_ALL] of those.
    public static final double GROW_ABOVE = 1.75;

    private static final double NEARLY_ALL = 0.875;
    public static final double SHRINK_BELOW = 0.5;
    /// A pool shrinks only when it has been underused for this long: loading a model again costs more than waiting.
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private PoolScaler() {}

    /// The measured load of a pool.
    ///
    /// @param mostInFlight calls that an actor takes at most
    /// @param ready actors that take calls
    /// @param starting actors that do not yet
    /// @param inFlight calls submitted to actors
    /// @param queued tasks that wait for an actor
    /// @param underusedNanos how long the load has been below [#SHRINK_BELOW]
    public record Load(
            int min,
            int max,
            int concurrency,
            int mostInFlight,
            int ready,
            int starting,
            int inFlight,
            int queued,
            long underusedNanos) {
        public double ratio() {
            return ready == 0 ? 0 : inFlight / (double) (concurrency * ready);
        }

        double growAbove() {
            return Math.min(GROW_ABOVE, NEARLY_ALL * mostInFlight / concurrency);
        }

        public boolean isUnderused() {
            return ready > 0 && ratio() < SHRINK_BELOW;
        }
    }

    /// The number of actors to add or to stop, and the reason.
    public record Decision(int delta, String reason) {
        static final Decision NONE = new Decision(0, "the load fits the pool");
    }

    public static Decision decide(Load load) {
        int actors = load.ready + load.starting;
        if (actors < load.min) {
            return new Decision(load.min - actors, actors + " actors, at least " + load.min + " are wanted");
        }
        if (actors == 0) {
            return load.queued > 0 ? new Decision(1, "no actor, and " + load.queued + " tasks wait") : Decision.NONE;
        }
        if (load.starting == 0 && load.queued > 0 && load.ratio() > load.growAbove() && actors < load.max) {
            return new Decision(
                    1,
                    load.inFlight + " calls in flight for " + load.ready + " actors, more than " + load.growAbove()
                            + " per slot");
        }
        int least = load.queued > 0 ? Math.max(1, load.min) : load.min;
        if (load.isUnderused() && load.underusedNanos >= PATIENCE.toNanos() && actors > least) {
            return new Decision(
                    -1,
                    load.inFlight + " calls in flight for " + load.ready + " actors, fewer than " + SHRINK_BELOW
                            + " per slot for " + PATIENCE.toSeconds() + " s");
        }
        return Decision.NONE;
    }
}
