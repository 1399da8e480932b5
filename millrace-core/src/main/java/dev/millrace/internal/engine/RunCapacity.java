package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.stats.TimeIntegral;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// One run's dealings with the session's capacity: tasks take what they need and give it back, actors keep all but
/// their CPUs, but never so much that the largest task of the run, or the first actor of another pool, could not have
/// its own.
final class RunCapacity {
    private final CapacityShare.Member member;
    private final Resources total;
    private final List<TaskOperator> operators;
    private final Resources largestTask;
    private Resources actorsHold = Resources.NONE;
    private boolean refused;
    private final LongSupplier now;
    private final TimeIntegral usedCpus = new TimeIntegral();

    RunCapacity(CapacityShare.Member member, Resources total, List<TaskOperator> operators, LongSupplier now) {
        this.now = now;
        this.member = member;
        this.total = total;
        this.operators = operators;
        Resources largest = Resources.NONE;
        for (TaskOperator operator : operators) {
            if (operator.pool() == null) {
                largest = max(largest, operator.need());
            }
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
        refused = false;
    }

    /// Tells the session, when nothing was refused in this round, that the run no longer waits.
    void endRound() {
        if (!refused) {
            member.settled();
        }
    }

    boolean take(Resources need) {
        if (member.tryTake(need)) {
            usedCpus.add(need.cpus(), now.getAsLong());
            return true;
        }
        refused = true;
        return false;
    }

    /// CPU time that tasks and actors of this run have taken.
    double usedCpuTime(long time) {
        return usedCpus.total(time);
    }

    /// True when another run of the session uses or wants something.
    boolean isShared() {
        return member.part() < 1;
    }

    boolean takeForActor(Resources need, boolean first) {
        if (!first && !actorsHold.plus(need).plus(keptFree()).fitsIn(total)) {
            return false;
        }
        if (!take(need)) {
            return false;
        }
        actorsHold = actorsHold.plus(need);
        return true;
    }

    boolean takeToLoad(Resources need) {
        return need.plus(largestTask).fitsIn(total) && take(need);
    }

    /// What further actors must leave.
    private Resources keptFree() {
        Resources kept = largestTask;
        for (TaskOperator operator : operators) {
            if (operator.pool() != null && operator.pool().size() == 0 && !operator.isFinished()) {
                kept = kept.plus(operator.pool().kept());
            }
        }
        return kept;
    }

    void giveBack(Resources need, boolean actor) {
        if (actor) {
            actorsHold = actorsHold.minus(need);
        }
        usedCpus.add(-need.cpus(), now.getAsLong());
        member.giveBack(need);
    }
}
