package dev.millrace.runtime;

import dev.millrace.compute.ErrorPolicy;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Errors of one operation in one task that its policy tolerated: what the engine needs to enforce the policy's limits
/// over all tasks.
///
/// @param operation e.g. "map(Main:42)"
/// @param rows that the operation was called with
/// @param failed how many of these failed
/// @param firstCause a sentence, or null if none failed
public record ToleratedErrors(
        String operation,
        ErrorPolicy policy,
        long rows,
        long failed,
        @Nullable String firstCause) implements Serializable {
    /// The sum of both, with the first cause of this one.
    public ToleratedErrors plus(ToleratedErrors other) {
        return new ToleratedErrors(
                operation,
                policy,
                rows + other.rows,
                failed + other.failed,
                firstCause == null ? other.firstCause : firstCause);
    }
}
