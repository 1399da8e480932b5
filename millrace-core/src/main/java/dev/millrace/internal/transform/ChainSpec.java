package dev.millrace.internal.transform;

import dev.millrace.compute.ErrorPolicy;
import java.io.Serializable;
import java.util.List;

/// The fused steps of one operator, as its tasks get them.
///
/// @param operator the operator's name for errors, e.g. "Range -> map(double)"
/// @param targetBytes the size that output blocks aim at
/// @param chunkBytes what moves at once inside the task
/// @param readErrors what becomes of broken data in the split that the chain reads
/// @param readSite the line of the user's that reads
/// @param batches how large the batches of its functions may be
public record ChainSpec(
        String operator,
        List<TransformStep> steps,
        long targetBytes,
        long chunkBytes,
        ErrorPolicy readErrors,
        String readSite,
        BatchFit batches)
        implements Serializable {
    public ChainSpec {
        steps = List.copyOf(steps);
    }

    /// A chain that fails on broken data and whose batches may have any size.
    public ChainSpec(String operator, List<TransformStep> steps, long targetBytes, long chunkBytes) {
        this(
                operator,
                steps,
                targetBytes,
                chunkBytes,
                ErrorPolicy.fail(),
                CallSite.UNKNOWN,
                new BatchFit(Long.MAX_VALUE));
    }

    /// The same chain behind a read.
    public ChainSpec withRead(ErrorPolicy policy, String site) {
        return new ChainSpec(operator, steps, targetBytes, chunkBytes, policy, site, batches);
    }

    /// Other steps, under the name that they have together.
    public ChainSpec withSteps(String otherOperator, List<TransformStep> others) {
        return new ChainSpec(otherOperator, others, targetBytes, chunkBytes, readErrors, readSite, batches);
    }

    public boolean isStateful() {
        return steps.stream().anyMatch(StatefulStep.class::isInstance);
    }
}
