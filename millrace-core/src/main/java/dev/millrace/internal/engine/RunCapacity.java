package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.stats.TimeIntegral;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Acquires and releases one run's share of the session's capacity. Tasks take what they need and give it back. Actors
/// keep everything except their CPUs, but never so much that the largest task of the run, or the first actor of another
/// pool, could not get its own.
final class RunCapacity {
    private final CapacityShare.Member member;
    private final Resources total;
    private final List<TaskOperator> operators;
    private final Resources largestTask;
    private Resources actorsHold = Resources.NONE;
    /// What was refused in this round.
    private final List<Resources> refused = new ArrayList<>(2);

    private final LongSupplier now;
    private final TimeIntegral usedCpus = new TimeIntegral();

    RunCapacity(CapacityShare.Member member, Resources total, List<TaskOperator> operators, LongSupplier now) {
        this.now = now;
        this.member = member;
        this.total = total;
        this.operators = operators;
        Resources largest = Resources.NONE;
        for (TaskOperator operator : operators) {
            largest = max(largest, operator.slots().needPerTask());
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

    boolean take(Resources need) {
        if (member.tryTake(need)) {
            usedCpus.add(need.cpus(), now.getAsLong());
            return true;
        }
        refused.add(need);
        return false;
    }

    /// CPU time that tasks and actors of this run have used.
    double usedCpuTime(long time) {
        return usedCpus.total(time);
    }

    /// True when another run of the session uses or wants resources.
    boolean isShared() {
        return member.part() < 1;
    }

    boolean takeForActor(Resources need, boolean first) {
        if (!first && !actorsHold.plus(need).plus(reservedForOthers()).fitsIn(total)) {
            return false;
        }
        // An actor that holds nothing does not take part in sharing.
        if (need.equals(Resources.NONE)) {
            return true;
        }
        if (!take(need)) {
            return false;
        }
        actorsHold = actorsHold.plus(need);
        return true;
    }

    boolean takeToLoad(Resources need) {
        if (!need.plus(largestTask).fitsIn(total) || !member.tryTakeSpare(need)) {
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

    void giveBack(Resources need, boolean actor) {
        if (actor) {
            if (need.equals(Resources.NONE)) {
                return;
            }
            actorsHold = actorsHold.minus(need);
        }
        usedCpus.add(-need.cpus(), now.getAsLong());
        member.giveBack(need);
    }
}
