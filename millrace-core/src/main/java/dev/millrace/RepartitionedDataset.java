package dev.millrace;

import dev.millrace.internal.plan.logical.LogicalPlan;

/// What [Dataset#repartition(int)] gives: blocks of neighbouring rows, unless they are to be [#shuffled].
public final class RepartitionedDataset extends Dataset {
    private final LogicalPlan.Repartition plan;

    RepartitionedDataset(Dataset input, LogicalPlan.Repartition plan) {
        super(input, plan);
        this.plan = plan;
    }

    /// The same number of blocks, equal in rows, of which each has a part of every block before: rows are dealt out in
    /// turn, so that what stood together is spread over all blocks. Rows of one block keep their order; which rows it
    /// has is no matter of chance (see [#randomShuffle] for that). All rows move, as in every shuffle.
    public Dataset shuffled() {
        return with(plan.shuffledRows());
    }
}
