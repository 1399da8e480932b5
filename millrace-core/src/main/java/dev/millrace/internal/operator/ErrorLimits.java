package dev.millrace.internal.operator;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.observe.RunError;
import dev.millrace.internal.transform.TaskErrors;
import dev.millrace.runtime.ToleratedErrors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Adds up the errors that error policies tolerated in the finished tasks of an operator, and decides when they are too
/// many. Loop thread only.
final class ErrorLimits {
    private final Map<String, ToleratedErrors> sums = new HashMap<>();

    /// The failure of the run if too many rows have failed by now, else null.
    @Nullable
    MillraceException add(List<ToleratedErrors> errors) {
        MillraceException failure = null;
        for (ToleratedErrors each : errors) {
            ToleratedErrors sum = sums.merge(each.operation(), each, ToleratedErrors::plus);
            if (sum.failed() > sum.policy().most()) {
                failure = TaskErrors.tooMany(sum, null);
            }
        }
        return failure;
    }

    /// Lists what was tolerated so far, by operation.
    ///
    /// @param operator its name
    /// @param atNanos when, since the start of the run
    void list(List<RunError> into, String operator, long atNanos) {
        for (ToleratedErrors sum : sums.values()) {
            if (sum.failed() > 0) {
                into.add(new RunError(
                        operator,
                        "rows failed (" + sum.policy() + ")",
                        Objects.requireNonNullElse(sum.firstCause(), ""),
                        sum.operation(),
                        sum.failed(),
                        atNanos));
            }
        }
    }

    /// The same for the ratio, which is meaningful only when all tasks are done.
    @Nullable
    MillraceException atEnd() {
        for (ToleratedErrors sum : sums.values()) {
            if (sum.failed() > sum.policy().mostRatio() * sum.rows()) {
                return TaskErrors.tooMany(sum, null);
            }
        }
        return null;
    }
}
