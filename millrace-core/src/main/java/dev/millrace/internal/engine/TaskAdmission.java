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
import dev.millrace.settings.ExecutionSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Admission control: asks the backpressure policies which operators of a run may start a task, and chooses the next
/// one. Records in each operator's meter which policy holds it back. Loop thread only.
final class TaskAdmission {
    private static final String CAPACITY = "Capacity";

    private final List<TaskOperator> operators;
    private final OutputOperator output;
    private final ResourceBudget budget;
    private final BackpressurePolicy[] policies;
    /// Whether an operator was refused CPUs or other resources in this round.
    private final boolean[] outOfCapacity;

    private long now;

    /// @param total resources of the session
    TaskAdmission(List<TaskOperator> operators, OutputOperator output, ExecutionSettings settings, Resources total) {
        this.operators = operators;
        this.output = output;
        this.outOfCapacity = new boolean[operators.size()];
        this.budget = new ResourceBudget(operators, settings.reservedShare());
        this.policies = new BackpressurePolicy[] {
            new ConcurrencyCap(),
            new OutputDemand(operators, output),
            new MemoryWait(operators),
            new DownstreamCapacity(settings.queueRatio(), Math.max(4, (int) (2 * total.cpus()))),
            budget
        };
    }

    /// Sets the bytes that the run plans with from now on.
    void limit(long bytes) {
        budget.limit(bytes);
    }

    /// Starts all tasks that may start, and one more if nothing runs otherwise.
    void startAll(long time) {
        now = time;
        for (int i = 0; i < outOfCapacity.length; i++) {
            outOfCapacity[i] = false;
        }
        tendSlots();
        boolean any = false;
        TaskOperator next;
        while ((next = nextToStart()) != null) {
            any |= start(next);
        }
        if (any) {
            // Actors are busy now and more calls are queued: no other event may come until a long call ends.
            tendSlots();
        }
        LivenessRule.ensure(operators, output, this::mayStartIfNothingRuns, this::start);
    }

    private void tendSlots() {
        for (int i = 0; i < operators.size(); i++) {
            operators.get(i).slots().tend(now);
        }
    }

    /// The first operator in rank with a task to start that no policy holds back; records for the others which policy
    /// holds them.
    private @Nullable TaskOperator nextToStart() {
        budget.refresh();
        TaskOperator best = null;
        for (int i = operators.size() - 1; i >= 0; i--) {
            TaskOperator operator = operators.get(i);
            if (operator.isStopped() || operator.isFinished()) {
                continue;
            }
            if (outOfCapacity[i]) {
                continue;
            }
            boolean urgent = operator.hasUrgent();
            if (!urgent && !operator.inputReady()) {
                operator.meter().heldBy(operator.waitingForMemory() > 0 ? MemoryWait.NAME : null, now);
                continue;
            }
            BackpressurePolicy refusal = urgent ? null : refusal(operator);
            operator.meter().heldBy(refusal == null ? null : refusal.name(), now);
            if (refusal == null && OperatorRanking.isBefore(operator, best)) {
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
        if (operator.isStopped() || outOfCapacity[operator.position()]) {
            return false;
        }
        if (operator.hasUrgent()) {
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
        if (operator.start()) {
            return true;
        }
        outOfCapacity[operator.position()] = true;
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

    /// Writes the reason why the operator is held back into its meter, as text.
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
