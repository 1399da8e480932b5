package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.internal.operator.ActorPool;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.resource.CapacityRequest;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.internal.resource.NodesLeft;
import dev.millrace.internal.stats.TimeIntegral;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Acquires and releases one run's share of the session's capacity, and with it the nodes of its tasks and actors.
/// Tasks take what they need and give it back. Actors keep everything except their CPUs, but never so much that a task
/// of the run, or the first actor of another pool, could not get its own on any node.
final class RunCapacity {
    private final CapacityShare shares;
    private final CapacityShare.Member member;
    private final List<TaskOperator> operators;
    private final Resources largestTask;
    private final Set<Resources> taskNeeds = new LinkedHashSet<>();
    private Resources actorsHold = Resources.NONE;
    private final Map<NodeRoom, Resources> actorsHoldAt = new HashMap<>();
    /// What was refused in this round.
    private final List<CapacityRequest> refused = new ArrayList<>(2);

    private final LongSupplier now;
    private final TimeIntegral usedCpus = new TimeIntegral();

    RunCapacity(CapacityShare shares, CapacityShare.Member member, List<TaskOperator> operators, LongSupplier now) {
        this.shares = shares;
        this.now = now;
        this.member = member;
        this.operators = operators;
        Resources largest = Resources.NONE;
        for (TaskOperator operator : operators) {
            largest = max(largest, operator.slots().needPerTask());
            taskNeeds.add(operator.slots().needPerTask());
        }
        this.largestTask = largest;
    }

    private static Resources max(Resources a, Resources b) {
        Map<String, Double> custom = new HashMap<>(a.custom());
        b.custom().forEach((name, amount) -> custom.merge(name, amount, Math::max));
        return new Resources(
                Math.max(a.cpus(), b.cpus()), Math.max(a.gpus(), b.gpus()), Math.max(a.memory(), b.memory()), custom);
    }

    void newRound() {
        refused.clear();
    }

    /// True when something was refused in this round.
    boolean isShort() {
        return !refused.isEmpty();
    }

    /// Reports to the session what the run still waits for: what was refused in this round.
    ///
    /// @param memoryIsShort its fraction of the memory was too small for a task; then the run is woken when the
    ///     fraction grows
    void endRound(boolean memoryIsShort) {
        member.waitsFor(refused);
        if (memoryIsShort && member.part() < 1) {
            member.watchPart();
        }
    }

    @Nullable
    NodeRoom take(Resources need, @Nullable NodeRoom preferred) {
        if (need.equals(Resources.NONE)) {
            return member.visit(preferred);
        }
        NodeRoom node = member.tryTake(need, preferred);
        if (node == null) {
            refused.add(new CapacityRequest(need, null));
        } else {
            usedCpus.add(need.cpus(), now.getAsLong());
        }
        return node;
    }

    boolean takeAt(Resources need, NodeRoom node) {
        if (need.equals(Resources.NONE)) {
            return !node.isLost() && member.visit(node) != null;
        }
        if (member.tryTakeAt(need, node)) {
            usedCpus.add(need.cpus(), now.getAsLong());
            return true;
        }
        refused.add(new CapacityRequest(need, node));
        return false;
    }

    /// Whether a task could take this much now.
    boolean mayTake(Resources need) {
        return member.mayTake(need);
    }

    /// CPU time that tasks and actors of this run have used.
    double usedCpuTime(long time) {
        return usedCpus.total(time);
    }

    /// True when another run of the session uses or wants resources.
    boolean isShared() {
        return member.part() < 1;
    }

    @Nullable
    NodeRoom takeForActor(ActorPool pool, Resources need) {
        Resources kept = need.withoutCpus();
        boolean first = pool.actors() == 0;
        if (!first && !actorsHold.plus(kept).plus(reservedForOthers()).fitsIn(member.most())) {
            return null;
        }
        NodeRoom node = place(pool, need, kept, first);
        // An actor that holds nothing does not take part in sharing.
        if (kept.equals(Resources.NONE)) {
            return node;
        }
        if (node == null) {
            if (first) {
                waitFor(kept);
            }
            return null;
        }
        if (!takeAt(kept, node)) {
            return null;
        }
        actorsHold = actorsHold.plus(kept);
        actorsHoldAt.merge(node, kept, Resources::plus);
        return node;
    }

    /// No node has this now: the run waits for it.
    private void waitFor(Resources kept) {
        NodeRoom freed = take(kept, null);
        if (freed != null) {
            // Since the look at the nodes: the next round takes it.
            giveBack(kept, freed, false);
        }
    }

    /// The node with the smallest share of what it can have of the pool's actors, of those that have room; null if none
    /// has. The first actor goes also where others of the run may then not fit, if there is no other place.
    private @Nullable NodeRoom place(ActorPool pool, Resources need, Resources kept, boolean first) {
        List<NodeRoom> nodes = shares.nodes();
        if (nodes.size() == 1) {
            return need.fitsIn(nodes.getFirst().total()) ? nodes.getFirst() : null;
        }
        NodeRoom best = null;
        NodeRoom narrow = null;
        double least = Double.MAX_VALUE;
        for (NodeRoom node : nodes) {
            if (!need.fitsIn(node.total()) || !shares.hasRoom(node, kept)) {
                continue;
            }
            if (!leavesRoom(pool, node, kept)) {
                narrow = node;
                continue;
            }
            double load = (pool.actorsOn(node) + 1) * share(need, node.total());
            if (load < least) {
                least = load;
                best = node;
            }
        }
        return best == null && first ? narrow : best;
    }

    /// The part of the node that one actor takes.
    private static double share(Resources need, Resources total) {
        return Math.max(
                need.cpus() > 0 ? need.cpus() / total.cpus() : 0, need.gpus() > 0 ? need.gpus() / total.gpus() : 0);
    }

    /// Whether each task of the run, and the first actors of its other pools, still fit beside the run's actors, with
    /// one more on this node.
    private boolean leavesRoom(ActorPool pool, NodeRoom node, Resources kept) {
        if (kept.equals(Resources.NONE)) {
            return true;
        }
        NodesLeft left = new NodesLeft();
        for (NodeRoom each : shares.nodes()) {
            Resources held = actorsHoldAt.getOrDefault(each, Resources.NONE);
            left.add(each.total().minus(each == node ? held.plus(kept) : held));
        }
        for (TaskOperator operator : operators) {
            if (operator.slots() != pool
                    && !operator.isFinished()
                    && !left.place(operator.slots().keptByFirst())) {
                return false;
            }
        }
        return taskNeeds.stream().allMatch(left::fits);
    }

    boolean takeToLoad(Resources need, NodeRoom node) {
        if (!need.plus(largestTask).fitsIn(member.most()) || !member.tryTakeSpare(need, node)) {
            return false;
        }
        usedCpus.add(need.cpus(), now.getAsLong());
        return true;
    }

    /// The resources that further actors must leave free.
    private Resources reservedForOthers() {
        Resources kept = largestTask;
        for (TaskOperator operator : operators) {
            if (!operator.isFinished()) {
                kept = kept.plus(operator.slots().keptByFirst());
            }
        }
        return kept;
    }

    void giveBack(Resources need, NodeRoom node, boolean actor) {
        if (need.equals(Resources.NONE)) {
            if (!actor) {
                member.leave(node);
            }
            return;
        }
        if (actor) {
            actorsHold = actorsHold.minus(need);
            actorsHoldAt.merge(node, need, Resources::minus);
        }
        usedCpus.add(-need.cpus(), now.getAsLong());
        member.giveBack(need, node);
    }
}
