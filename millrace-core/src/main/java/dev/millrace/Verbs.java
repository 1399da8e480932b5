package dev.millrace;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Download;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Expressions;
import dev.millrace.function.OutputSchema;
import dev.millrace.internal.expression.ExpressionTypes;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NeedCheck;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.ColumnProjection;
import dev.millrace.internal.transform.DownloadStep;
import dev.millrace.internal.transform.FunctionNames;
import dev.millrace.internal.transform.ProjectionResolution;
import dev.millrace.internal.transform.UnpivotStep;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Creates the plan node of each verb, after every check that can be made at the call. What depends on a schema that is
/// not known yet is checked by the step that runs.
final class Verbs {
    /// The verbs whose functions get batches of any size.
    private static final Set<String> BATCH_VERBS = Set.of("mapBatches", "flatMapBatches", "mapBatchesAsync");

    private static final System.Logger LOG = System.getLogger(Verbs.class.getName());

    private Verbs() {}

    static LogicalPlan onReadError(LogicalPlan input, ErrorPolicy policy) {
        if (!(input instanceof LogicalPlan.Read read)) {
            throw MillraceException.user("onReadError stands right behind the read, before other verbs.");
        }
        if (policy.action() == ErrorPolicy.Action.NULLS) {
            throw MillraceException.user(
                    "onReadError: how many rows are lost is not known, so they cannot become rows of"
                            + " nulls. Use ErrorPolicy.skip() or deadLetter(name).");
        }
        return read.withOnError(policy);
    }

    static LogicalPlan filter(LogicalPlan input, Expression predicate, ErrorPolicy onError) {
        requireNoNulls("filter", onError);
        input.schema().ifPresent(schema -> ExpressionTypes.requireCondition(predicate, schema, "filter"));
        return new LogicalPlan.Filter(input, predicate, onError, CallSite.here());
    }

    static LogicalPlan select(LogicalPlan input, String... names) {
        requireUnique("select", Arrays.asList(names));
        input.schema().ifPresent(schema -> requireColumns("select", schema, Arrays.asList(names)));
        return project(
                input,
                new ColumnProjection.Select(Arrays.stream(names)
                        .map(name -> new ColumnProjection.Named(name, Expressions.col(name)))
                        .toList()));
    }

    static LogicalPlan select(LogicalPlan input, List<Expression> expressions, ErrorPolicy onError) {
        return project(input, new ColumnProjection.Select(named("select", expressions)), onError);
    }

    static LogicalPlan drop(LogicalPlan input, String... names) {
        List<String> dropped = List.of(names);
        requireUnique("drop", dropped);
        input.schema().ifPresent(schema -> requireColumns("drop", schema, dropped));
        return project(input, new ColumnProjection.Drop(dropped));
    }

    static LogicalPlan rename(LogicalPlan input, Map<String, String> names) {
        input.schema().ifPresent(schema -> {
            requireColumns("rename", schema, names.keySet());
            requireUnique(
                    "rename",
                    schema.names().stream()
                            .map(name -> names.getOrDefault(name, name))
                            .toList());
        });
        requireUnique("rename", List.copyOf(names.values()));
        return project(input, new ColumnProjection.Rename(names));
    }

    static LogicalPlan rename(LogicalPlan input, List<String> names) {
        requireUnique("rename", names);
        return project(input, new ColumnProjection.RenameAll(names));
    }

    static LogicalPlan withColumns(LogicalPlan input, List<Expression> expressions, ErrorPolicy onError) {
        return project(input, new ColumnProjection.WithColumns(named("withColumns", expressions)), onError);
    }

    static LogicalPlan withColumn(LogicalPlan input, String name, Expression expression, ErrorPolicy onError) {
        return project(
                input,
                new ColumnProjection.WithColumns(List.of(new ColumnProjection.Named(name, expression.withoutAlias()))),
                onError);
    }

    private static List<ColumnProjection.Named> named(String verb, List<Expression> expressions) {
        List<ColumnProjection.Named> columns = expressions.stream()
                .map(expression -> new ColumnProjection.Named(expression.outputName(), expression.withoutAlias()))
                .toList();
        requireUnique(verb, columns.stream().map(ColumnProjection.Named::name).toList());
        return columns;
    }

    static LogicalPlan project(LogicalPlan input, ColumnProjection projection) {
        return project(input, projection, ErrorPolicy.fail());
    }

    private static LogicalPlan project(LogicalPlan input, ColumnProjection projection, ErrorPolicy onError) {
        Optional<Schema> schema = input.schema()
                .map(known -> ProjectionResolution.schemaOf(ProjectionResolution.resolve(projection, known), known));
        return new LogicalPlan.Project(input, projection, schema, onError, CallSite.here());
    }

    /// The same rows with no columns.
    static LogicalPlan withoutColumns(LogicalPlan input) {
        return project(input, new ColumnProjection.Select(List.of()));
    }

    static LogicalPlan limit(LogicalPlan input, long rows) {
        return new LogicalPlan.Limit(input, 0, requireCount("limit", rows));
    }

    static LogicalPlan offset(LogicalPlan input, long rows) {
        return new LogicalPlan.Limit(input, requireCount("offset", rows), Long.MAX_VALUE);
    }

    static LogicalPlan sample(LogicalPlan input, double fraction, long seed) {
        if (!(fraction >= 0 && fraction <= 1)) {
            throw MillraceException.user("randomSample: the fraction must be between 0 and 1, not " + fraction + ".");
        }
        return new LogicalPlan.Sample(input, fraction, seed);
    }

    static LogicalPlan download(LogicalPlan input, String column, Download options) {
        return new LogicalPlan.Download(
                input,
                column,
                options,
                input.schema().map(known -> DownloadStep.output(known, column, options.column())));
    }

    /// All columns, with the fields of a struct in its place.
    static List<Expression> unnested(Schema schema, String column) {
        if (!(schema.field(schema.require(column, "unnest")).type() instanceof DataType.Struct struct)) {
            throw MillraceException.user(
                    "unnest needs a struct column, but '" + column + "' is " + schema.type(column) + ".");
        }
        List<Expression> columns = new ArrayList<>();
        for (Field field : schema.fields()) {
            if (field.name().equals(column)) {
                struct.fields()
                        .forEach(inner -> columns.add(Expressions.col(column).field(inner.name())));
            } else {
                columns.add(Expressions.col(field.name()));
            }
        }
        requireUnique("unnest", columns.stream().map(Expression::outputName).toList());
        return columns;
    }

    static LogicalPlan explode(LogicalPlan input, String column, boolean keepEmpty) {
        Optional<Schema> schema = input.schema().map(known -> {
            int position = known.require(column, "explode");
            DataType element = switch (known.field(position).type()) {
                case DataType.ListOf list -> list.element();
                case DataType.FixedList list -> list.element();
                case DataType other ->
                    throw MillraceException.user("explode needs a list column, but '" + column + "' is " + other + ".");
            };
            List<Field> fields = new ArrayList<>(known.fields());
            fields.set(position, new Field(column, element));
            return Schema.of(fields);
        });
        return new LogicalPlan.Explode(input, column, keepEmpty, schema);
    }

    static LogicalPlan unpivot(LogicalPlan input, List<String> columns, String nameColumn, String valueColumn) {
        if (columns.isEmpty()) {
            throw MillraceException.user("unpivot: give at least one column.");
        }
        requireUnique("unpivot", columns);
        requireUnique("unpivot", List.of(nameColumn, valueColumn));
        UnpivotStep step = new UnpivotStep(columns, nameColumn, valueColumn);
        input.schema().ifPresent(step::output);
        return new LogicalPlan.Unpivot(input, step);
    }

    /// A function over batches as its plan node gets it.
    ///
    /// @param schema of its results, if it declares them
    record FunctionCall(String name, Compute compute, Optional<Schema> schema) {}

    /// Checks a function over batches of the input, and how it is to run.
    static FunctionCall call(
            String verb, BatchOperation operation, Compute compute, Dataset dataset, LogicalPlan input) {
        String name = FunctionNames.of(verb, operation.function(), compute.name());
        Compute fitting = compute(verb, name, compute, operation.isStateful(), dataset.shares());
        dataset.requireShippable(name, operation.function());
        Optional<Schema> schema = operation.function() instanceof OutputSchema known
                ? input.schema().flatMap(known::outputSchema)
                : Optional.empty();
        return new FunctionCall(name, fitting, schema);
    }

    /// Checks the compute options against the kind of function and the available resources.
    ///
    /// @param name as [dev.millrace.internal.transform.FunctionNames#of] gives it
    static Compute compute(String verb, String name, Compute compute, boolean stateful, CapacityShare shares) {
        if (stateful && compute.strategy() instanceof Compute.Tasks) {
            throw MillraceException.user(name + ": a factory makes an object with state, which lives in an actor, but"
                    + " the compute asks for tasks. Use Compute.actors(...), or pass a function instead of a factory.");
        }
        if (!stateful && compute.strategy() instanceof Compute.Actors) {
            throw MillraceException.user(name + ": a function runs as tasks, but the compute asks for actors. Pass a"
                    + " factory, e.g. () -> new Model(), or use Compute.tasks(...).");
        }
        if (verb.equals("filter")) {
            requireNoNulls(name, compute.onError());
        }
        boolean batches = BATCH_VERBS.contains(verb);
        if (!batches && compute.batchSize() != null) {
            throw MillraceException.user(name + ": " + verb
                    + (verb.equals("mapGroups") ? " works on whole groups" : " works on single rows")
                    + "; a batch size is for mapBatches.");
        }
        if (compute.batchesInFlight() != null && !verb.equals("mapBatchesAsync")) {
            throw MillraceException.user(
                    name + ": " + verb + " waits for each call; batchesInFlight is for" + " mapBatchesAsync.");
        }
        Resources each = compute.resources();
        if (batches && each.gpus() > 0 && compute.batchSize() == null) {
            throw MillraceException.user(name + " asks for GPUs without a batch size. Give one, e.g."
                    + " Compute.actors(1).gpus(1).batchSize(64): the largest that fits the GPU's memory is the"
                    + " fastest.");
        }
        String missing = NeedCheck.missing(each, shares);
        if (missing != null) {
            throw MillraceException.resources(name + " can never run: it needs " + missing
                    + " in this session. Ask for less, or raise the session's limits.");
        }
        // Without any node yet, nothing is known of how many fit.
        Compute fitting = shares.nodes().isEmpty()
                ? compute
                : compute.within(shares.total()).within(each.times(shares.fitting(each)));
        if (fitting.strategy() instanceof Compute.Actors pool && pool.min() < pool.asked()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    name + ": a pool of " + pool.asked() + " actors needs "
                            + Objects.requireNonNullElse(
                                    each.times(pool.asked()).missingFrom(shares.total()),
                                    "room for each of them on one node")
                            + " in this session, so it has " + pool.min() + ".");
        }
        return fitting;
    }

    private static void requireNoNulls(String filter, ErrorPolicy onError) {
        if (onError.action() == ErrorPolicy.Action.NULLS) {
            throw MillraceException.user(
                    filter + ": a filter makes no rows, so its errors cannot become rows of nulls. Use"
                            + " ErrorPolicy.skip() or deadLetter(name).");
        }
    }

    static long requireCount(String verb, long rows) {
        if (rows < 0) {
            throw MillraceException.user(verb + ": the number of rows must be 0 or more, not " + rows + ".");
        }
        return rows;
    }

    static void requireUnique(String verb, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw MillraceException.user(verb + ": the column '" + name + "' would come twice, of " + names
                        + ". Column names must be unique.");
            }
        }
    }

    static void requireColumns(String verb, Schema schema, Iterable<String> names) {
        names.forEach(name -> schema.require(name, verb));
    }
}
