package dev.millrace.internal.plan.logical;

import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.ReadTasks;
import dev.millrace.expression.Expression;
import dev.millrace.internal.kernel.join.JoinColumns;
import dev.millrace.internal.kernel.window.WindowTypes;
import dev.millrace.internal.sink.FragmentBlock;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.internal.transform.ColumnProjection;
import dev.millrace.internal.transform.RowOperation;
import dev.millrace.internal.transform.UnpivotStep;
import dev.millrace.relation.Join;
import dev.millrace.relation.MixStop;
import dev.millrace.relation.SortKey;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.sink.Sink;
import dev.millrace.sink.WriteJob;
import dev.millrace.source.Source;
import dev.millrace.type.Schema;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.io.Serializable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A node of the plan as the user wrote it. Serialisable for files of plans, which hold no [Blocks].
public sealed interface LogicalPlan extends Serializable {
    /// The inputs, in order.
    List<LogicalPlan> inputs();

    /// The output's schema, if it is known before anything runs; empty after a user's function.
    Optional<Schema> schema();

    /// A node with one input.
    sealed interface Unary extends LogicalPlan
            permits Download,
                    Explode,
                    Filter,
                    Limit,
                    Project,
                    Sample,
                    TopRows,
                    TransformBatches,
                    TransformRows,
                    Unpivot,
                    Windowed,
                    Write,
                    GroupPlan,
                    ShufflePlan {
        LogicalPlan input();

        /// The same node over another input. Its schema is kept: rules never change what a node means.
        Unary withInput(LogicalPlan other);

        @Override
        default List<LogicalPlan> inputs() {
            return List.of(input());
        }
    }

    /// @param tasks the number of blocks the user asked for, and how the tasks that make them run
    /// @param onError the policy for a split whose data is broken
    /// @param site the user's line
    record Read(Source source, ReadTasks tasks, ErrorPolicy onError, String site) implements LogicalPlan {
        public Read(Source source, ReadTasks tasks) {
            this(source, tasks, ErrorPolicy.fail(), CallSite.UNKNOWN);
        }

        public Read withSource(Source other) {
            return new Read(other, tasks, onError, site);
        }

        public Read withOnError(ErrorPolicy policy) {
            return new Read(source, tasks, policy, site);
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of();
        }

        @Override
        public Optional<Schema> schema() {
            return source.schema();
        }
    }

    /// Existing blocks: a materialised dataset. The plan holds no references to them; its creator does.
    ///
    /// @param keeper what keeps the blocks from being freed while plans refer to it
    record Blocks(List<BlockSlice> blocks, Optional<Schema> schema, List<String> inputFiles, Object keeper)
            implements LogicalPlan {
        public Blocks {
            blocks = List.copyOf(blocks);
            inputFiles = List.copyOf(inputFiles);
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of();
        }
    }

    /// A function over single rows. `schema` is known when it filters, or returns records.
    ///
    /// @param site the user's line
    record TransformRows(
            LogicalPlan input,
            String name,
            RowOperation operation,
            Compute compute,
            Optional<Schema> schema,
            String site)
            implements Unary {
        public TransformRows(
                LogicalPlan input, String name, RowOperation operation, Compute compute, Optional<Schema> schema) {
            this(input, name, operation, compute, schema, CallSite.UNKNOWN);
        }

        /// True if the number of output rows equals that of the input: with an error policy, rows that fail may be
        /// dropped.
        public boolean keepsRows() {
            return operation.verb().equals("map") && compute.onError().keepsRows();
        }

        @Override
        public TransformRows withInput(LogicalPlan other) {
            return new TransformRows(other, name, operation, compute, schema, site);
        }
    }

    /// @param schema of the results, if the function declares it
    /// @param site the user's line
    record TransformBatches(
            LogicalPlan input,
            String name,
            BatchOperation operation,
            Compute compute,
            Optional<Schema> schema,
            String site)
            implements Unary {
        public TransformBatches(LogicalPlan input, String name, BatchOperation operation, Compute compute) {
            this(input, name, operation, compute, Optional.empty(), CallSite.UNKNOWN);
        }

        @Override
        public TransformBatches withInput(LogicalPlan other) {
            return new TransformBatches(other, name, operation, compute, schema, site);
        }
    }

    /// Keeps rows for which the predicate is true (not false, not null).
    ///
    /// @param site the user's line, or those of several merged filters
    record Filter(LogicalPlan input, Expression predicate, ErrorPolicy onError, String site) implements Unary {
        public Filter(LogicalPlan input, Expression predicate) {
            this(input, predicate, ErrorPolicy.fail(), CallSite.UNKNOWN);
        }

        public Filter withPredicate(Expression other) {
            return new Filter(input, other, onError, site);
        }

        public Filter withSite(String other) {
            return new Filter(input, predicate, onError, other);
        }

        @Override
        public Filter withInput(LogicalPlan other) {
            return new Filter(other, predicate, onError, site);
        }

        @Override
        public Optional<Schema> schema() {
            return PlanRewrite.schemaOf(input);
        }
    }

    /// @param site the user's line, or those of several merged projections
    record Project(
            LogicalPlan input, ColumnProjection projection, Optional<Schema> schema, ErrorPolicy onError, String site)
            implements Unary {
        public Project(LogicalPlan input, ColumnProjection projection, Optional<Schema> schema) {
            this(input, projection, schema, ErrorPolicy.fail(), CallSite.UNKNOWN);
        }

        public Project withProjection(ColumnProjection other, Optional<Schema> otherSchema) {
            return new Project(input, other, otherSchema, onError, site);
        }

        public Project withSite(String other) {
            return new Project(input, projection, schema, onError, other);
        }

        /// True if the number of output rows equals that of the input: with an error policy, rows that fail may be
        /// dropped.
        public boolean keepsRows() {
            return onError.keepsRows();
        }

        @Override
        public Project withInput(LogicalPlan other) {
            return new Project(other, projection, schema, onError, site);
        }
    }

    /// Skips `offset` rows, then passes `rows` rows (Long.MAX_VALUE: all).
    record Limit(LogicalPlan input, long offset, long rows) implements Unary {
        @Override
        public Limit withInput(LogicalPlan other) {
            return new Limit(other, offset, rows);
        }

        @Override
        public Optional<Schema> schema() {
            return PlanRewrite.schemaOf(input);
        }
    }

    /// Keeps each row with this probability, independently, determined by the seed.
    ///
    /// @param rest whether the rows are kept that the sample leaves out
    record Sample(LogicalPlan input, double fraction, long seed, boolean rest) implements Unary {
        public Sample(LogicalPlan input, double fraction, long seed) {
            this(input, fraction, seed, false);
        }

        /// The share of the rows that is kept.
        public double share() {
            return rest ? 1 - fraction : fraction;
        }

        @Override
        public Sample withInput(LogicalPlan other) {
            return new Sample(other, fraction, seed, rest);
        }

        @Override
        public Optional<Schema> schema() {
            return PlanRewrite.schemaOf(input);
        }
    }

    /// One row per element of a list column; `keepEmpty`: empty and null lists result in one row with null.
    record Explode(LogicalPlan input, String column, boolean keepEmpty, Optional<Schema> schema) implements Unary {
        @Override
        public Explode withInput(LogicalPlan other) {
            return new Explode(other, column, keepEmpty, schema);
        }

        public Explode withSchema(Optional<Schema> other) {
            return new Explode(input, column, keepEmpty, other);
        }
    }

    /// Fetches the files that a column names, as a column of bytes.
    record Download(LogicalPlan input, String column, dev.millrace.compute.Download options, Optional<Schema> schema)
            implements Unary {
        @Override
        public Download withInput(LogicalPlan other) {
            return new Download(other, column, options, schema);
        }

        public Download withSchema(Optional<Schema> other) {
            return new Download(input, column, options, other);
        }
    }

    /// The rows of the first input, then of the second, and so on.
    ///
    /// @param site the user's line
    record Union(List<LogicalPlan> inputs, Optional<Schema> schema, String site) implements LogicalPlan {
        public Union {
            inputs = List.copyOf(inputs);
        }

        public Union(List<LogicalPlan> inputs, Optional<Schema> schema) {
            this(inputs, schema, CallSite.UNKNOWN);
        }

        public Union withInputs(List<LogicalPlan> others) {
            return new Union(others, schema, site);
        }

        public Union withSchema(Optional<Schema> other) {
            return new Union(inputs, other, site);
        }
    }

    /// The rows of all inputs, interleaved by weights.
    ///
    /// @param site the user's line
    record Mix(List<LogicalPlan> inputs, List<Double> weights, MixStop stop, Optional<Schema> schema, String site)
            implements LogicalPlan {
        public Mix {
            inputs = List.copyOf(inputs);
            weights = List.copyOf(weights);
        }

        public Mix withInputs(List<LogicalPlan> others) {
            return new Mix(others, weights, stop, schema, site);
        }
    }

    /// Row i of the left beside row i of the right; a clashing name of the right gets `_1`.
    ///
    /// @param site the user's line
    record Zip(LogicalPlan left, LogicalPlan right, Optional<Schema> schema, String site) implements LogicalPlan {
        public Zip withInputs(LogicalPlan otherLeft, LogicalPlan otherRight) {
            return new Zip(otherLeft, otherRight, schema, site);
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(left, right);
        }
    }

    /// Rows of the left with those of the right that have the same keys.
    ///
    /// @param wanted the output columns, of those that [#columns] has; null for all
    /// @param site the user's line
    record Joined(
            LogicalPlan left,
            LogicalPlan right,
            Join join,
            @Nullable List<String> wanted,
            String site) implements LogicalPlan {
        public Joined(LogicalPlan left, LogicalPlan right, Join join, List<String> wanted) {
            this(left, right, join, wanted, CallSite.UNKNOWN);
        }

        public Joined withInputs(LogicalPlan otherLeft, LogicalPlan otherRight) {
            return new Joined(otherLeft, otherRight, join, wanted, site);
        }

        public Joined withWanted(List<String> others) {
            return new Joined(left, right, join, others, site);
        }

        /// The possible output columns, if those of both sides are known.
        public Optional<JoinColumns> columns() {
            return left.schema().flatMap(a -> right.schema().map(b -> JoinColumns.of(join, a, b)));
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(left, right);
        }

        @Override
        public Optional<Schema> schema() {
            return columns().map(all -> all.only(wanted).schema());
        }
    }

    /// Writes all rows to a sink; the output is one block per task that describes what it has written.
    ///
    /// @param site the user's line
    record Write(LogicalPlan input, Sink sink, WriteJob job, String site) implements Unary {
        @Override
        public Write withInput(LogicalPlan other) {
            return new Write(other, sink, job, site);
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.of(FragmentBlock.SCHEMA);
        }
    }

    /// One row for each of some columns, with its name and its value.
    record Unpivot(LogicalPlan input, UnpivotStep step) implements Unary {
        @Override
        public Unpivot withInput(LogicalPlan other) {
            return new Unpivot(other, step);
        }

        @Override
        public Optional<Schema> schema() {
            return input.schema().map(step::output);
        }
    }

    /// The first `rows` rows of a sort.
    ///
    /// @param site the user's line
    record TopRows(LogicalPlan input, List<SortKey> by, int rows, String site) implements Unary {
        public TopRows {
            by = List.copyOf(by);
        }

        public TopRows(LogicalPlan input, List<SortKey> by, int rows) {
            this(input, by, rows, CallSite.UNKNOWN);
        }

        @Override
        public TopRows withInput(LogicalPlan other) {
            return new TopRows(other, by, rows, site);
        }

        @Override
        public Optional<Schema> schema() {
            return PlanRewrite.schemaOf(input);
        }
    }

    /// The rows with additional columns computed by window functions.
    ///
    /// @param site the user's line
    record Windowed(LogicalPlan input, Window window, List<WindowFunction> functions, String site) implements Unary {
        public Windowed {
            functions = List.copyOf(functions);
        }

        @Override
        public Windowed withInput(LogicalPlan other) {
            return new Windowed(other, window, functions, site);
        }

        public Windowed withFunctions(List<WindowFunction> others) {
            return new Windowed(input, window, others, site);
        }

        @Override
        public Optional<Schema> schema() {
            return input.schema().map(known -> WindowTypes.result(known, window, functions));
        }

        /// The partition and order columns.
        public Set<String> keys() {
            Set<String> columns = new LinkedHashSet<>(window.keys());
            window.order().stream().map(SortKey::column).forEach(columns::add);
            return columns;
        }
    }
}
