package dev.millrace.internal.backpressure;

import dev.millrace.internal.operator.OutputOperator;
import dev.millrace.internal.operator.ReadOperator;
import dev.millrace.internal.operator.TaskOperator;
import java.util.List;

/// Holds back operators whose output is not demanded: the consumer has not begun (one read may run ahead of it) or does
/// not take finished blocks, or a limit expects enough rows from the tasks in flight.
public final class OutputDemand implements BackpressurePolicy {
    private final List<TaskOperator> operators;
    private final OutputOperator output;

    public OutputDemand(List<TaskOperator> operators, OutputOperator output) {
        this.operators = operators;
        this.output = output;
    }

    @Override
    public String name() {
        return "OutputDemand";
    }

    @Override
    public boolean allows(TaskOperator operator) {
        if (!output.isAsked()) {
            return operator instanceof ReadOperator && nothingStarted();
        }
        if (operator.feeds() == output && !output.wantsMore()) {
            return false;
        }
        return operator.rowsAreWanted();
    }

    private boolean nothingStarted() {
        for (int i = 0; i < operators.size(); i++) {
            if (operators.get(i).launcher().tasksStarted() > 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String reason(TaskOperator operator) {
        if (!output.isAsked()) {
            return "no block has been asked for";
        }
        if (operator.feeds() == output && !output.wantsMore()) {
            return output.waitingBlocks() + " finished blocks wait for the consumer, at most " + output.room();
        }
        return operator.inFlight() + " tasks under way are expected to bring the rows that a limit still wants";
    }

    @Override
    public boolean yieldsWhenNothingRuns() {
        return false;
    }
}
