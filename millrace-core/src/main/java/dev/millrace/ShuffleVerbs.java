package dev.millrace;

import static dev.millrace.Verbs.requireColumns;
import static dev.millrace.Verbs.requireUnique;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.aggregate.AggregateTypes;
import dev.millrace.internal.kernel.aggregate.PivotedBlocks;
import dev.millrace.internal.kernel.join.JoinColumns;
import dev.millrace.internal.kernel.sort.SortKeys;
import dev.millrace.internal.kernel.window.WindowTypes;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.ProjectionResolution;
import dev.millrace.relation.Join;
import dev.millrace.relation.MixStop;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Creates the plan nodes of the verbs of [DatasetShuffles], after every check that can be made at the call.
final class ShuffleVerbs {
    private static final int MAX_PIVOTED = 10_000;

    private ShuffleVerbs() {}

    static ShufflePlan.Repartition repartition(LogicalPlan input, int blocks, String... keys) {
        if (blocks < 1) {
            throw MillraceException.user("repartition: the number of blocks must be 1 or more, not " + blocks + ".");
        }
        requireUnique("repartition", List.of(keys));
        input.schema().ifPresent(schema -> requireColumns("repartition", schema, List.of(keys)));
        return new ShufflePlan.Repartition(input, blocks, List.of(keys), false, CallSite.here());
    }

    static LogicalPlan sort(LogicalPlan input, List<SortKey> keys, List<?> boundaries) {
        ShufflePlan.Sort sort = (ShufflePlan.Sort) sort(input, keys.toArray(SortKey[]::new));
        String first = keys.getFirst().column();
        if (input.schema().isEmpty()) {
            throw MillraceException.user("sort: boundaries need the type of the column '" + first
                    + "', which is not known before a function has run. Materialize the dataset first.");
        }
        return new ShufflePlan.Sort(
                input,
                sort.by(),
                SortKeys.boundaries(keys.getFirst(), input.schema().get().type(first), boundaries),
                sort.site());
    }

    static LogicalPlan sort(LogicalPlan input, SortKey... keys) {
        if (keys.length == 0) {
            throw MillraceException.user("sort: give at least one column to sort by.");
        }
        requireUnique("sort", Arrays.stream(keys).map(SortKey::column).toList());
        input.schema().ifPresent(schema -> SortKeys.check(List.of(keys), schema, "sort"));
        return new ShufflePlan.Sort(input, List.of(keys), List.of(), CallSite.here());
    }

    static LogicalPlan aggregate(LogicalPlan input, List<String> keys, Aggregate... aggregates) {
        if (aggregates.length == 0 && keys.isEmpty()) {
            throw MillraceException.user("aggregate: give at least one aggregate, e.g. Aggregates.count().");
        }
        List<Aggregate> wanted = List.of(aggregates);
        return new GroupPlan.GroupBy(
                input,
                keys,
                wanted,
                input.schema().map(known -> AggregateTypes.result(known, keys, wanted)),
                CallSite.here());
    }

    /// Checks the keys of a group by.
    static List<String> keys(LogicalPlan input, String... columns) {
        if (columns.length == 0) {
            throw MillraceException.user(
                    "groupBy: give at least one column. dataset.aggregate(...) makes one row of all rows.");
        }
        requireUnique("groupBy", List.of(columns));
        input.schema().ifPresent(schema -> requireColumns("groupBy", schema, List.of(columns)));
        return List.of(columns);
    }

    static LogicalPlan repartitionRows(LogicalPlan input, long rows, boolean exact) {
        if (rows < 1) {
            throw MillraceException.user("repartitionRows: blocks must have 1 row or more, not " + rows + ".");
        }
        return new ShufflePlan.RepartitionRows(input, rows, exact, CallSite.here());
    }

    static LogicalPlan union(List<LogicalPlan> inputs) {
        return new LogicalPlan.Union(inputs, unified("union", inputs), CallSite.here());
    }

    static LogicalPlan mix(List<LogicalPlan> inputs, List<Double> weights, MixStop stop) {
        if (weights.size() != inputs.size()) {
            throw MillraceException.user("mix: there are " + inputs.size() + " datasets, this one first, but "
                    + weights.size() + " weights. Give each dataset one.");
        }
        for (double weight : weights) {
            if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
                throw MillraceException.user("mix: a weight is a number above zero, not " + weight + ", of " + weights
                        + ". Leave out datasets that should not come.");
            }
        }
        return new LogicalPlan.Mix(inputs, weights, stop, unified("mix", inputs), CallSite.here());
    }

    /// The common columns of all inputs, if all are known.
    private static Optional<Schema> unified(String verb, List<LogicalPlan> inputs) {
        Schema schema = null;
        for (int i = 0; i < inputs.size(); i++) {
            if (inputs.get(i).schema().isEmpty()) {
                return Optional.empty();
            }
            Schema next = inputs.get(i).schema().get();
            try {
                schema = schema == null ? next : Types.unify(schema, next);
            } catch (MillraceException e) {
                throw new MillraceException(
                        Culprit.USER,
                        verb + ": input " + (i + 1) + " does not fit those before it. " + e.getMessage(),
                        e);
            }
        }
        return Optional.ofNullable(schema);
    }

    static LogicalPlan zip(LogicalPlan left, LogicalPlan right) {
        Optional<Schema> schema = left.schema().isEmpty() || right.schema().isEmpty()
                ? Optional.empty()
                : Optional.of(ProjectionResolution.zipped(
                        left.schema().get(), right.schema().get()));
        return new LogicalPlan.Zip(left, right, schema, CallSite.here());
    }

    static LogicalPlan join(LogicalPlan left, LogicalPlan right, Join join) {
        if (join.asOf() != null && join.kind() != Join.Kind.INNER && join.kind() != Join.Kind.LEFT) {
            throw MillraceException.user("join: as of a column, rows of the left look for theirs on the right. Use"
                    + " Join.left(...) or Join.inner(...), or change the sides.");
        }
        if (join.leftKeys().isEmpty() && join.kind() != Join.Kind.CROSS && join.asOf() == null) {
            throw MillraceException.user("join: give at least one key, e.g. Join.inner(\"id\") or"
                    + " Join.inner().on(\"a\", \"b\"). For all pairs of rows use Join.cross().");
        }
        if (!join.leftKeys().isEmpty() && join.kind() == Join.Kind.CROSS) {
            throw MillraceException.user("join: a cross join pairs all rows and has no keys. Use Join.inner(...).");
        }
        requireUnique("join", join.leftKeys());
        requireUnique("join", join.rightKeys());
        left.schema().ifPresent(schema -> requireColumns("join (the left)", schema, join.leftKeys()));
        right.schema().ifPresent(schema -> requireColumns("join (the right)", schema, join.rightKeys()));
        left.schema().ifPresent(a -> right.schema().ifPresent(b -> JoinColumns.check(join, a, b)));
        return new LogicalPlan.Joined(left, right, join, null, CallSite.here());
    }

    static LogicalPlan window(LogicalPlan input, Window window, WindowFunction... functions) {
        if (functions.length == 0) {
            throw MillraceException.user("window: give at least one function, e.g. WindowFunctions.rowNumber().");
        }
        requireUnique("window (partitions)", window.keys());
        requireUnique(
                "window (order)", window.order().stream().map(SortKey::column).toList());
        WindowTypes.check(List.of(functions));
        input.schema().ifPresent(schema -> WindowTypes.result(schema, window, List.of(functions)));
        return new LogicalPlan.Windowed(input, window, List.of(functions), CallSite.here());
    }

    static LogicalPlan pivot(
            LogicalPlan input, List<String> keys, String column, List<?> values, Aggregate... aggregates) {
        if (aggregates.length == 0 || values.isEmpty()) {
            throw MillraceException.user("pivot: give at least one "
                    + (aggregates.length == 0
                            ? "aggregate, e.g. Aggregates.sum(\"fare\")."
                            : "value: '" + column + "' has none."));
        }
        if (values.size() > MAX_PIVOTED) {
            throw MillraceException.user("pivot: '" + column + "' has " + values.size() + " values, and each would be a"
                    + " column. At most " + MAX_PIVOTED + " are possible: choose some, or group by the column.");
        }
        requireUnique("pivot", Stream.concat(keys.stream(), Stream.of(column)).toList());
        List<Aggregate> wanted = List.of(aggregates);
        return new GroupPlan.Pivot(
                input,
                keys,
                column,
                values,
                wanted,
                input.schema().map(known -> PivotedBlocks.result(known, keys, column, values, wanted)),
                CallSite.here());
    }

    static LogicalPlan distinct(LogicalPlan input, String... columns) {
        requireUnique("distinct", List.of(columns));
        input.schema().ifPresent(schema -> {
            requireColumns("distinct", schema, List.of(columns));
            if (schema.size() == 0) {
                throw MillraceException.user("distinct: the dataset has no columns.");
            }
        });
        return new GroupPlan.Distinct(input, List.of(columns), CallSite.here());
    }
}
