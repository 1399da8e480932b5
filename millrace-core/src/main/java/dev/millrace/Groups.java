package dev.millrace;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.iteration.CloseableIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A dataset's rows in groups of equal keys; created by [Dataset#groupBy(String...)].
public final class Groups {
    private final Dataset dataset;
    private final LogicalPlan input;
    private final List<String> keys;

    Groups(Dataset dataset, LogicalPlan input, List<String> keys) {
        this.dataset = dataset;
        this.input = input;
        this.keys = keys;
    }

    /// One row for each group: the keys, then the aggregates under their names, `sum(v)` or that of [Aggregate#as]; a
    /// duplicate name gets `_2`. The order is unspecified, but the same each time.
    public Dataset aggregate(Aggregate... aggregates) {
        return dataset.aggregate(input, keys, aggregates);
    }

    /// One row for each group, with a column for each of these values of `column`: `groupBy("zone").pivot("year",
    /// List.of(2024, 2025), sum("fare"))` has the columns `zone`, `2024` and `2025`; with several aggregates they are
    /// `2024_sum(fare)` and so on. Each is the aggregate of the group's rows that have this value: null, or a count of
    /// 0, if there are none. The order is unspecified.
    public Dataset pivot(String column, List<?> values, Aggregate... aggregates) {
        return dataset.pivot(input, keys, column, values, aggregates);
    }

    /// The same for all values of the column except null, in their order. To find them, the column is read immediately.
    public Dataset pivot(String column, Aggregate... aggregates) {
        List<Object> values = new ArrayList<>();
        Dataset rows = dataset.with(input).select(column).distinct().sort(column);
        try (CloseableIterator<Row> sorted = rows.iterRows()) {
            while (sorted.hasNext()) {
                values.add(sorted.next().get(column));
            }
        }
        values.removeIf(Objects::isNull);
        return pivot(column, values, aggregates);
    }

    /// Calls a function with all rows of each group as one batch, in the order of the dataset's rows; it may return any
    /// rows and columns. A group must fit into memory.
    public Dataset mapGroups(BatchFunction function) {
        return mapGroups(function, Compute.defaults());
    }

    /// The same, configured by the compute: tasks, CPUs, memory, a name, and the error policy, whose unit is the group:
    /// one that fails is dropped, kept as dead letters, or becomes rows of nulls, as a whole. There is no batch size.
    public Dataset mapGroups(BatchFunction function, Compute compute) {
        return mapGroups(new BatchOperation.Function(function), compute);
    }

    /// Calls an object with state, e.g. a model, created once per actor by its factory, with each group; the pool grows
    /// from 1 actor.
    public Dataset mapGroups(Factory<? extends BatchFunction> factory) {
        return mapGroups(factory, Compute.defaults());
    }

    /// The same in a pool of actors, with the resources of the compute:
    /// `mapGroups(() -> new Forecast(), Compute.actors(4).gpus(1))`.
    public Dataset mapGroups(Factory<? extends BatchFunction> factory, Compute compute) {
        return mapGroups(new BatchOperation.Stateful(factory), compute);
    }

    private Dataset mapGroups(BatchOperation operation, Compute compute) {
        Verbs.FunctionCall call = Verbs.call("mapGroups", operation, compute, dataset, input);
        return dataset.with(new GroupPlan.MapGroups(
                input, keys, call.name(), operation, call.compute(), call.schema(), CallSite.here()));
    }
}
