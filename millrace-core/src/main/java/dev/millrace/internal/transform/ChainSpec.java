package dev.millrace.internal.transform;

import java.io.Serializable;
import java.util.List;

/// The fused steps of one operator, as its tasks get them.
///
/// @param operator the operator's name for errors, e.g. "Range -> map(double)"
/// @param targetBytes the size that output blocks aim at
/// @param chunkBytes what moves at once inside the task
public record ChainSpec(String operator, List<Step> steps, long targetBytes, long chunkBytes) implements Serializable {
    public ChainSpec {
        steps = List.copyOf(steps);
    }

    public boolean isStateful() {
        return steps.stream().anyMatch(StatefulStep.class::isInstance);
    }
}
