package dev.millrace;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.transform.FunctionNames;
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
        return dataset.aggregate(input, keys, aggregates);
    }

    /// Calls a function with all rows of each group as one batch, in the order of the dataset's rows; what it returns
    /// may have any rows and columns. A group must fit into memory.
    public Dataset mapGroups(BatchFunction function) {
        String operator = FunctionNames.of("mapGroups", function, null);
        dataset.requireShippable(operator, function);
        return dataset.with(new LogicalPlan.MapGroups(input, keys, operator, function));
    }
}
