package dev.millrace;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Factory;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunctions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

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

    /// The number of rows of each group, as `count()`.
    public Dataset count() {
        return aggregate(Aggregates.count());
    }

    /// The sum of each of these columns in each group, as `sum(v)`.
    public Dataset sum(String... columns) {
        return each("sum", Aggregates::sum, columns);
    }

    /// The mean of each of these columns in each group, as `mean(v)`.
    public Dataset mean(String... columns) {
        return each("mean", Aggregates::mean, columns);
    }

    /// The least value of each of these columns in each group, as `min(v)`.
    public Dataset min(String... columns) {
        return each("min", Aggregates::min, columns);
    }

    /// The greatest value of each of these columns in each group, as `max(v)`.
    public Dataset max(String... columns) {
        return each("max", Aggregates::max, columns);
    }

    /// The sample standard deviation of each of these columns in each group, as `std(v)`.
    public Dataset std(String... columns) {
        return each("std", Aggregates::std, columns);
    }

    private Dataset each(String verb, Function<String, Aggregate> aggregate, String... columns) {
        if (columns.length == 0) {
            throw MillraceException.user(verb + " of groups needs at least one column, e.g. " + verb + "(\"fare\").");
        }
        return aggregate(Arrays.stream(columns).map(aggregate).toArray(Aggregate[]::new));
    }

    /// All rows of the dataset, each with the aggregate of its group in a new column: `groupBy("zone").withColumn("mean
    /// fare", mean("fare"))`. Rows are output group by group; the order of groups is unspecified. Other functions of
    /// groups of rows are those of [Dataset#window].
    public Dataset withColumn(String name, Aggregate aggregate) {
        Window window = Window.partitionBy(keys.toArray(String[]::new));
        return dataset.with(input)
                .window(window, WindowFunctions.total(aggregate).as(name));
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
