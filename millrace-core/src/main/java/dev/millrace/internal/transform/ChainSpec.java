package dev.millrace.internal.transform;

import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.runtime.ShippedOnce;
import java.util.List;

/// The fused steps of one operator, as its tasks get them.
///
/// @param operator the operator's name for errors, e.g. "Range -> map(double)"
/// @param targetBytes the target size of output blocks
/// @param chunkBytes the size of the chunks inside the task
/// @param readErrors the policy for broken data in the split that the chain reads
/// @param readSite the user's line of the read
/// @param lines the user's lines of the steps, and of the read before them
/// @param batches limits the size of the batches of its functions
public record ChainSpec(
        String operator,
        List<TransformStep> steps,
        long targetBytes,
        long chunkBytes,
        ErrorPolicy readErrors,
        String readSite,
        String lines,
        BatchFit batches)
        implements ShippedOnce {
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
                CallSite.UNKNOWN,
                new BatchFit(Long.MAX_VALUE));
    }

    /// The same chain after a read.
    public ChainSpec withRead(ErrorPolicy policy, String site) {
        return new ChainSpec(
                operator, steps, targetBytes, chunkBytes, policy, site, CallSite.joined(site, lines), batches);
    }

    /// A chain with other steps, under their common name.
    ///
    /// @param site the line of what is new among them
    public ChainSpec withSteps(String otherOperator, List<TransformStep> others, String site) {
        return new ChainSpec(
                otherOperator,
                others,
                targetBytes,
                chunkBytes,
                readErrors,
                readSite,
                CallSite.joined(lines, site),
                batches);
    }

    /// True if its last step writes.
    public boolean writes() {
        return !steps.isEmpty() && steps.getLast().writes();
    }

    /// What a reader in front of the chain should give at once: a block where the first function wants it whole, so
    /// that it need not be put together from chunks.
    public long readBytes() {
        boolean isWhole = !steps.isEmpty()
                && steps.getFirst() instanceof BatchStep first
                && first.cut().equals(new BatchCut.Rows(Compute.WHOLE_BLOCK));
        return isWhole ? targetBytes : chunkBytes;
    }

    public boolean isStateful() {
        return steps.stream().anyMatch(StatefulStep.class::isInstance);
    }
}
