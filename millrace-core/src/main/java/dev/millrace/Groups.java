package dev.millrace;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.internal.plan.logical.LogicalPlan;
import java.util.List;

/// A dataset's rows in groups of equal keys; made by [Dataset#groupBy(String...)].
public final class Groups {
    private final Dataset dataset;
    private final LogicalPlan input;
    private final List<String> keys;

    Groups(Dataset dataset, LogicalPlan input, List<String> keys) {
        this.dataset = dataset;
        this.input = input;
        this.keys = keys;
    }

    /// One row for each group: the keys, then the aggregates under their names, `sum(v)` or what
    /// [Aggregate#as] says; a name that comes again gets `_2`. In no particular order, but in the same one each time.
    public Dataset aggregate(Aggregate... aggregates) {
        return dataset.with(Verbs.aggregate(input, keys, aggregates));
    }
}
