package dev.millrace.internal.resource;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import org.jspecify.annotations.Nullable;

/// Checks before a run that the session can ever satisfy the needs of each operator, so that no operator waits forever.
public final class NeedCheck {
    private Resources actors = Resources.NONE;
    private @Nullable String firstPool;
    private final Resources total;
    private final String limits;

    private NeedCheck(Resources total, String limits) {
        this.total = total;
        this.limits = limits;
    }

    /// @param total what the run may use
    /// @param all whether that is everything that the session has
    /// @throws MillraceException culprit RESOURCES, naming the operator, its need and what the run may use
    public static void check(PhysicalPlan plan, Resources total, boolean all) {
        NeedCheck check = new NeedCheck(total, all ? "the session's limits" : "the limits of the run (RunLimits)");
        check.alone(plan);
        check.checkTogether(plan);
    }

    private void alone(PhysicalPlan plan) {
        plan.inputs().forEach(this::alone);
        if (plan instanceof PhysicalPlan.Map map && map.strategy() instanceof Compute.Actors) {
            // A pool runs with as many actors as fit; one is required.
            String missing = map.resources().missingFrom(total);
            if (missing != null) {
                throw MillraceException.resources(map.name() + ": an actor needs " + missing
                        + ". Ask for smaller actors, or raise " + limits + ".");
            }
            actors = actors.plus(map.resources().withoutCpus());
            firstPool = firstPool == null ? map.name() : firstPool;
            return;
        }
        String missing = taskNeed(plan).missingFrom(total);
        if (missing != null) {
            throw MillraceException.resources(
                    plan.name() + " needs " + missing + ". Ask for less, or raise " + limits + ".");
        }
    }

    /// Actors keep everything except their CPUs while they live: beside one actor of each pool, every task must still
    /// fit.
    private void checkTogether(PhysicalPlan plan) {
        plan.inputs().forEach(this::checkTogether);
        if (firstPool == null) {
            return;
        }
        String missing = taskNeed(plan).plus(actors).missingFrom(total);
        if (missing != null) {
            throw MillraceException.resources(plan.name() + " and the actors of " + firstPool
                    + ", which keep what they have, together need " + missing
                    + ". Give the actors less, or raise " + limits + ".");
        }
    }

    /// The resources that one task of the operator takes; none if it runs in actors, which already hold them.
    public static Resources taskNeed(PhysicalPlan plan) {
        return switch (plan) {
            case PhysicalPlan.Read read -> read.resources();
            case PhysicalPlan.Map map -> map.strategy() instanceof Compute.Actors ? Resources.NONE : map.resources();
            case PhysicalPlan.Zip zip -> zip.resources();
            case PhysicalPlan.Mix mix -> mix.resources();
            case PhysicalPlan.Exchange exchange -> exchange.resources();
            case PhysicalPlan.Rows rows -> rows.resources();
            case PhysicalPlan.Blocks _, PhysicalPlan.Limit _, PhysicalPlan.Union _, PhysicalPlan.BlockOrder _ ->
                Resources.NONE;
        };
    }
}
