package dev.millrace.internal.engine;

import dev.millrace.compute.Resources;
import dev.millrace.internal.backpressure.BackpressurePolicy;
import dev.millrace.internal.backpressure.ConcurrencyCap;
import dev.millrace.internal.backpressure.DownstreamCapacity;
import dev.millrace.internal.backpressure.MemoryWait;
import dev.millrace.internal.backpressure.OutputDemand;
import dev.millrace.internal.backpressure.ResourceBudget;
import dev.millrace.internal.backpressure.TaskVerdict;
import dev.millrace.internal.operator.OutputOperator;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.settings.ExecutionSettings;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Admission control: asks the backpressure policies which operators of a run may start a task, and chooses the next
/// one. Records in each operator's meter which policy holds it back. Loop thread only.
final class TaskAdmission {
    private static final String CAPACITY = "Capacity";

    private final List<TaskOperator> operators;
    private final OutputOperator output;
    private final ResourceBudget budget;
    private final BackpressurePolicy[] policies;
    /// What an operator was refused CPUs or other resources for in this round.
    private final Refused[] refused;
    /// What plain tasks were refused on every node in this round.
    private final Set<Resources> refusedNeeds = new HashSet<>();

    private final CapacityShare shares;
    private final DownstreamCapacity downstream;

    private long now;

    private enum Refused {
        NOTHING,
        /// The nodes of its paused tasks are full: new tasks may run on others.
        URGENT,
        ALL
    }

    TaskAdmission(
            List<TaskOperator> operators, OutputOperator output, ExecutionSettings settings, CapacityShare shares) {
        this.operators = operators;
        this.output = output;
        this.shares = shares;
        this.refused = new Refused[operators.size()];
        this.downstream = new DownstreamCapacity(settings.queueRatio());
        this.budget = new ResourceBudget(operators, settings.reservedShare());
        this.policies = new BackpressurePolicy[] {
            new ConcurrencyCap(), new OutputDemand(operators, output), new MemoryWait(operators), downstream, budget
        };
    }

    /// Sets the bytes that the run plans with from now on.
    void limit(long bytes) {
        budget.limit(bytes);
    }

    /// Sets the CPUs that the run may have from now on.
    void cpus(double cpus) {
        downstream.floor(Math.max(4, (int) (2 * cpus)));
    }

    /// Starts all tasks that may start, and one more if nothing runs otherwise.
    void startAll(long time) {
        now = time;
        tendSlots();
        boolean any = startAllowed();
        if (any) {
            // Actors are busy now and more calls are queued: no other event may come until a long call ends.
            tendSlots();
        }
        refresh();
        while (LivenessRule.ensure(operators, output, this::mayStartIfNothingRuns, this::start)) {
            var _ = startAllowed();
        }
    }

    private boolean startAllowed() {
        Arrays.fill(refused, Refused.NOTHING);
        refusedNeeds.clear();
        boolean any = false;
        TaskOperator next;
        while ((next = nextToStart()) != null) {
            any |= start(next);
        }
        return any;
    }

    private void tendSlots() {
        for (int i = 0; i < operators.size(); i++) {
            operators.get(i).slots().tend(now);
        }
    }

    /// The first operator in rank with a task to start that no policy holds back; records for the others which policy
    /// holds them.
    private @Nullable TaskOperator nextToStart() {
        refresh();
        TaskOperator best = null;
        for (int i = operators.size() - 1; i >= 0; i--) {
            TaskOperator operator = operators.get(i);
            if (operator.isStopped() || operator.isFinished()) {
                continue;
            }
            if (refused[i] == Refused.ALL) {
                continue;
            }
            boolean urgent =
                    refused[i] == Refused.NOTHING && operator.launcher().hasUrgent();
            if (!urgent && !operator.inputReady()) {
                operator.meter().heldBy(operator.waitingForMemory() > 0 ? MemoryWait.NAME : null, now);
                continue;
            }
            BackpressurePolicy refusal = urgent ? null : refusal(operator);
            operator.meter().heldBy(refusal == null ? null : refusal.name(), now);
            if (refusal == null && !urgent && isRefusedLikeAnother(operator)) {
                refused[i] = Refused.ALL;
                operator.meter().heldBy(CAPACITY, now);
            } else if (refusal == null && OperatorRanking.isBefore(operator, best)) {
                best = operator;
            }
        }
        return best;
    }

    /// Whether an operator with the same need was refused it: there is no use in asking for each of them.
    private boolean isRefusedLikeAnother(TaskOperator operator) {
        return !refusedNeeds.isEmpty() && takesPlainly(operator) && refusedNeeds.contains(operator.need());
    }

    private static boolean takesPlainly(TaskOperator operator) {
        return operator.slots().isPlain() && !operator.isLocal();
    }

    /// Reads anew what holds operators back.
    void refresh() {
        for (BackpressurePolicy policy : policies) {
            policy.refresh();
        }
    }

    /// After [#startAll]: the first operator in rank with a task to start that lacks nothing but resources; null also
    /// if a task that was begun before lacks them.
    @Nullable
    TaskOperator nextToQueue() {
        refresh();
        TaskOperator best = null;
        for (int i = operators.size() - 1; i >= 0; i--) {
            TaskOperator operator = operators.get(i);
            if (operator.isStopped() || operator.isFinished() || refused[i] == Refused.NOTHING) {
                continue;
            }
            if (operator.launcher().hasUrgent()) {
                return null;
            }
            if (operator.inputReady() && refusal(operator) == null && OperatorRanking.isBefore(operator, best)) {
                best = operator;
            }
        }
        return best;
    }

    private @Nullable BackpressurePolicy refusal(TaskOperator operator) {
        for (BackpressurePolicy policy : policies) {
            if (!policy.allows(operator)) {
                return policy;
            }
        }
        return null;
    }

    private boolean mayStartIfNothingRuns(TaskOperator operator) {
        Refused before = refused[operator.position()];
        if (operator.isStopped() || before == Refused.ALL) {
            return false;
        }
        if (before == Refused.NOTHING && operator.launcher().hasUrgent()) {
            return true;
        }
        if (operator.isFinished() || !operator.inputReady()) {
            return false;
        }
        for (BackpressurePolicy policy : policies) {
            if (!policy.yieldsWhenNothingRuns() && !policy.allows(operator)) {
                return false;
            }
        }
        return true;
    }

    private boolean start(TaskOperator operator) {
        boolean urgent = refused[operator.position()] == Refused.NOTHING
                && operator.launcher().hasUrgent();
        if (urgent ? operator.launcher().startUrgent() : operator.launcher().startNew()) {
            return true;
        }
        if (!urgent && takesPlainly(operator) && !operator.launcher().waitsForNode()) {
            refusedNeeds.add(operator.need());
        }
        refused[operator.position()] = urgent && shares.nodes().size() > 1 ? Refused.URGENT : Refused.ALL;
        operator.meter().heldBy(CAPACITY, now);
        return false;
    }

    /// True when the bytes that the run plans with are too few for an operator.
    boolean isShortOfMemory() {
        for (int i = 0; i < operators.size(); i++) {
            TaskOperator operator = operators.get(i);
            if (!operator.isFinished() && budget.name().equals(operator.meter().heldBy())) {
                return true;
            }
        }
        return false;
    }

    /// Writes the reason why the operator is held back into its meter, as text; after [#refresh].
    void noteReason(TaskOperator operator) {
        String by = operator.meter().heldBy();
        if (CAPACITY.equals(by)) {
            operator.meter().heldReason("needs " + operator.need() + ", which other tasks have");
        }
        for (BackpressurePolicy policy : policies) {
            if (policy.name().equals(by)) {
                TaskVerdict verdict = policy.check(operator);
                operator.meter().heldReason(verdict.allowed() ? null : verdict.reason());
            }
        }
    }
}
