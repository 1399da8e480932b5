package dev.millrace.internal.resource;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Checks before a run that the session can ever satisfy the needs of each operator, so that no operator waits forever:
/// a task or an actor needs one node that has all of it.
public final class NeedCheck {
    private Resources actors = Resources.NONE;
    private final NodesLeft left = new NodesLeft();
    private @Nullable String firstPool;
    private final Resources total;
    private final List<NodeRoom> nodes;
    private final String limits;

    private NeedCheck(Resources total, List<NodeRoom> nodes, String limits) {
        this.total = total;
        this.nodes = nodes;
        this.limits = limits;
        nodes.forEach(node -> left.add(node.total()));
    }

    /// @param within the limits of the run
    /// @throws MillraceException culprit RESOURCES, naming the operator, its need and what the run may use. Without any
    ///     node there is nothing to compare with: the run waits for the first
    public static void check(PhysicalPlan plan, CapacityShare shares, UnaryOperator<Resources> within) {
        if (shares.nodes().isEmpty()) {
            return;
        }
        obtain(plan, shares);
        Resources all = shares.total();
        Resources total = within.apply(all);
        List<NodeRoom> nodes = shares.nodes();
        if (nodes.isEmpty()) {
            return;
        }
        NeedCheck check = new NeedCheck(
                total, nodes, total.equals(all) ? "the session's limits" : "the limits of the run (RunLimits)");
        check.alone(plan);
        check.checkTogether(plan);
    }

    /// Gets nodes for what no node has, if it can; what is lacking then is told by the check that follows.
    private static void obtain(PhysicalPlan plan, CapacityShare shares) {
        plan.inputs().forEach(input -> obtain(input, shares));
        var _ = missing(needOf(plan), shares);
    }

    /// Of a task, or of an actor.
    private static Resources needOf(PhysicalPlan plan) {
        return plan instanceof PhysicalPlan.Map map ? map.resources() : taskNeed(plan);
    }

    /// What no node has any more that a task or an actor of the plan needs, with its name; null if there is nothing.
    public static @Nullable String missing(PhysicalPlan plan, CapacityShare shares) {
        return new NeedCheck(shares.total(), shares.nodes(), "").firstMissing(plan);
    }

    /// The same of one need, after more nodes were asked for where the session can get some, which may take minutes;
    /// null, too, while there is no node.
    public static @Nullable String missing(Resources need, CapacityShare shares) {
        String missing = missingNow(need, shares);
        if (missing == null) {
            return null;
        }
        Optional<String> why = shares.obtain(need);
        String still = missingNow(need, shares);
        return still == null || why.isEmpty() ? still : still + " (" + why.get() + ")";
    }

    private static @Nullable String missingNow(Resources need, CapacityShare shares) {
        List<NodeRoom> nodes = shares.nodes();
        return nodes.isEmpty() ? null : new NeedCheck(shares.total(), nodes, "").missingFrom(need);
    }

    private @Nullable String firstMissing(PhysicalPlan plan) {
        for (PhysicalPlan input : plan.inputs()) {
            String below = firstMissing(input);
            if (below != null) {
                return below;
            }
        }
        String missing = missingFrom(needOf(plan));
        return missing == null ? null : plan.name() + " needs " + missing;
    }

    private void alone(PhysicalPlan plan) {
        plan.inputs().forEach(this::alone);
        if (plan instanceof PhysicalPlan.Map map && map.strategy() instanceof Compute.Actors) {
            // A pool runs with as many actors as fit; one is required.
            String missing = missingFrom(map.resources());
            if (missing != null) {
                throw MillraceException.resources(map.name() + ": an actor needs " + missing
                        + ". Ask for smaller actors, or raise " + limits + ".");
            }
            actors = actors.plus(map.resources().withoutCpus());
            var _ = left.place(map.resources().withoutCpus());
            firstPool = firstPool == null ? map.name() : firstPool;
            return;
        }
        String missing = missingFrom(taskNeed(plan));
        if (missing != null) {
            throw MillraceException.resources(
                    plan.name() + " needs " + missing + ". Ask for less, or raise " + limits + ".");
        }
    }

    /// Of the session, or of its largest node.
    private @Nullable String missingFrom(Resources need) {
        String missing = need.missingFrom(total);
        if (missing != null || nodes.isEmpty() || nodes.stream().anyMatch(node -> need.fitsIn(node.total()))) {
            return missing != null && nodes.isEmpty() ? missing + ", without any node" : missing;
        }
        Comparator<Resources> size = Comparator.comparingDouble(Resources::cpus);
        Resources largest = nodes.stream()
                .map(NodeRoom::total)
                .max(
                        need.gpus() > 0
                                ? Comparator.comparingDouble(Resources::gpus).thenComparing(size)
                                : size)
                .orElseThrow();
        return need.missingFrom(largest) + " on the largest of " + nodes.size() + " nodes";
    }

    /// Actors keep everything except their CPUs while they live: beside one actor of each pool, every task must still
    /// fit.
    private void checkTogether(PhysicalPlan plan) {
        plan.inputs().forEach(this::checkTogether);
        if (firstPool == null) {
            return;
        }
        String missing = taskNeed(plan).plus(actors).missingFrom(total);
        if (missing == null && !left.fits(taskNeed(plan))) {
            missing = taskNeed(plan) + " on one node, which none of " + nodes.size() + " has left";
        }
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
