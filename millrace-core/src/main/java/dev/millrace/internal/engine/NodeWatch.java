package dev.millrace.internal.engine;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NeedCheck;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Follows the nodes of a run's session. When nodes were lost so that a task or an actor of the plan fits on none any
/// more, the run goes on with what it can do and waits for a node that is to come; after [#PATIENCE] it ends. Loop
/// thread only.
final class NodeWatch {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String run;
    private final CapacityShare shares;
    private final PhysicalPlan plan;
    private int seen = -1;
    private long deadline = Long.MAX_VALUE;
    private @Nullable String missing;

    NodeWatch(String run, CapacityShare shares, PhysicalPlan plan) {
        this.run = run;
        this.shares = shares;
        this.plan = plan;
    }

    boolean haveChanged() {
        return shares.version() != seen;
    }

    void look(long now) {
        seen = shares.version();
        missing = NeedCheck.missing(plan, shares);
        if (missing == null) {
            deadline = Long.MAX_VALUE;
        } else if (deadline == Long.MAX_VALUE) {
            deadline = now + PATIENCE.toNanos();
        }
    }

    /// When the run ends unless a node comes; Long.MAX_VALUE if it lacks none.
    long deadline() {
        return deadline;
    }

    MillraceException failure() {
        return MillraceException.resources("Run '" + run + "' cannot go on since nodes were lost: " + missing
                + ". No node that has it came within " + PATIENCE.toSeconds()
                + " s. Bring back the nodes, or ask for less.");
    }
}
