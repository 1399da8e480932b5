package dev.millrace;

import dev.millrace.internal.plan.logical.ShufflePlan;

/// The result of [Dataset#repartition(int)]: blocks of consecutive rows, unless they are [#shuffled].
public final class RepartitionedDataset extends Dataset {
    private final ShufflePlan.Repartition plan;

    RepartitionedDataset(Dataset input, ShufflePlan.Repartition plan) {
        super(input, plan);
        this.plan = plan;
    }

    /// The same number of blocks, equal in rows, each with a part of every previous block: rows are assigned
    /// round-robin, so that consecutive rows are spread over all blocks. Rows of one block keep their order; the
    /// assignment is not random (see [#randomShuffle] for that). All rows move, as in every shuffle.
    public Dataset shuffled() {
        return with(plan.shuffledRows());
    }
}
