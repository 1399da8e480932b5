package dev.millrace.internal.engine;

import dev.millrace.internal.operator.TaskOperator;
import org.jspecify.annotations.Nullable;

/// The order in which operators start tasks: the operator with the fewest bytes in the store first; on a tie, the one
/// nearer to the output.
final class OperatorRanking {
    private OperatorRanking() {}

    /// True if `operator` ranks before `other`; every operator ranks before null.
    static boolean isBefore(TaskOperator operator, @Nullable TaskOperator other) {
        if (other == null) {
            return true;
        }
        long bytes = operator.likelyBytes();
        long otherBytes = other.likelyBytes();
        return bytes != otherBytes ? bytes < otherBytes : operator.position() > other.position();
    }
}
