package dev.millrace.internal.engine;

import dev.millrace.internal.operator.TaskOperator;

/// Who goes first: the operator with the fewest bytes in the store; of equal ones, the one nearer to the output.
final class OperatorRanking {
    private OperatorRanking() {}

    /// True if `operator` goes before `other`; anyone goes before null.
    static boolean isBefore(TaskOperator operator, TaskOperator other) {
        if (other == null) {
            return true;
        }
        long bytes = operator.likelyBytes();
        long otherBytes = other.likelyBytes();
        return bytes != otherBytes ? bytes < otherBytes : operator.position() > other.position();
    }
}
