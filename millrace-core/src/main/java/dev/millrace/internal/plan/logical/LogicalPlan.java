package dev.millrace.internal.plan.logical;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.expression.Expression;
import dev.millrace.expression.Join;
import dev.millrace.expression.MixStop;
import dev.millrace.expression.SortKey;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.kernel.join.JoinColumns;
import dev.millrace.internal.kernel.window.WindowTypes;
import dev.millrace.internal.sink.FragmentBlock;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.Projection;
import dev.millrace.internal.transform.RowOperation;
import dev.millrace.internal.transform.UnpivotStep;
import dev.millrace.internal.wording.CallSite;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.sink.Sink;
import dev.millrace.sink.WriteJob;
import dev.millrace.source.Source;
import dev.millrace.type.Schema;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// A node of the plan as the user wrote it.
public sealed interface LogicalPlan {
    /// The inputs, in order.
    List<LogicalPlan> inputs();

    /// The output's schema, where it is known before anything runs; empty after a user's function.
    Optional<Schema> schema();

    /// @param blocks the number of blocks the user asked for
    /// @param onError what becomes of a split whose data is broken
    /// @param site the user's line
    record Read(Source source, OptionalInt blocks, ErrorPolicy onError, String site) implements LogicalPlan {
        public Read(Source source, OptionalInt blocks) {
            this(source, blocks, ErrorPolicy.fail(), CallSite.UNKNOWN);
        }

        public Read withSource(Source other) {
            return new Read(other, blocks, onError, site);
        }

        public Read withOnError(ErrorPolicy policy) {
            return new Read(source, blocks, policy, site);
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

    /// Blocks that are there already: a materialised dataset. The plan does not hold them; its maker does.
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

    /// A function over single rows. `schema` is known when it filters, or makes records.
    record TransformRows(
            LogicalPlan input, String name, RowOperation operation, Compute compute, Optional<Schema> schema)
            implements LogicalPlan {
        /// True if as many rows come out as go in: rows that fail may be left out.
        public boolean keepsRows() {
            return operation.verb().equals("map") && compute.onError().keepsRows();
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }
    }

    record TransformBatches(LogicalPlan input, String name, BatchOperation operation, Compute compute)
            implements LogicalPlan {
        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.empty();
        }
    }

    /// Keeps rows where the predicate is true (not false, not null).
    ///
    /// @param site the user's line, or those of several filters that became one
    record Filter(LogicalPlan input, Expression predicate, ErrorPolicy onError, String site) implements LogicalPlan {
        public Filter(LogicalPlan input, Expression predicate) {
            this(input, predicate, ErrorPolicy.fail(), CallSite.UNKNOWN);
        }

        /// The same line, over another input or with another predicate.
        public Filter with(LogicalPlan otherInput, Expression otherPredicate) {
            return new Filter(otherInput, otherPredicate, onError, site);
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public Optional<Schema> schema() {
            return Rewrite.schemaOf(input);
        }
    }

    /// @param site the user's line, or those of several projections that became one
    record Project(LogicalPlan input, Projection projection, Optional<Schema> schema, ErrorPolicy onError, String site)
            implements LogicalPlan {
        public Project(LogicalPlan input, Projection projection, Optional<Schema> schema) {
            this(input, projection, schema, ErrorPolicy.fail(), CallSite.UNKNOWN);
        }

        /// The same line, over another input and with other columns.
        public Project with(LogicalPlan otherInput, Projection otherColumns, Optional<Schema> otherSchema) {
            return new Project(otherInput, otherColumns, otherSchema, onError, site);
        }

        /// True if as many rows come out as go in: rows that fail may be left out.
        public boolean keepsRows() {
            return onError.keepsRows();
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }
    }

    /// Skips `offset` rows, then lets `rows` pass (Long.MAX_VALUE: all).
    record Limit(LogicalPlan input, long offset, long rows) implements LogicalPlan {
        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public Optional<Schema> schema() {
            return Rewrite.schemaOf(input);
        }
    }

    /// Each row stays with this probability, independently; the seed decides which.
    record Sample(LogicalPlan input, double fraction, long seed) implements LogicalPlan {
        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public Optional<Schema> schema() {
            return Rewrite.schemaOf(input);
        }
    }

    /// One row per element of a list column; `keepEmpty`: empty and null lists give one row with null.
    record Explode(LogicalPlan input, String column, boolean keepEmpty, Optional<Schema> schema)
            implements LogicalPlan {
        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }
    }

    /// The files that a column names, as a column of bytes.
    record Download(LogicalPlan input, String column, dev.millrace.compute.Download options, Optional<Schema> schema)
            implements LogicalPlan {
        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }
    }

    /// The rows of the first input, then of the second, and so on.
    record Union(List<LogicalPlan> inputs, Optional<Schema> schema) implements LogicalPlan {
        public Union {
            inputs = List.copyOf(inputs);
        }
    }

    /// The rows of all inputs, interleaved by weights.
    record Mix(List<LogicalPlan> inputs, List<Double> weights, MixStop stop, Optional<Schema> schema)
            implements LogicalPlan {
        public Mix {
            inputs = List.copyOf(inputs);
            weights = List.copyOf(weights);
        }
    }

    /// Row i of the left beside row i of the right; a clashing name of the right gets `_1`.
    record Zip(LogicalPlan left, LogicalPlan right, Optional<Schema> schema) implements LogicalPlan {
        @Override
        public List<LogicalPlan> inputs() {
            return List.of(left, right);
        }
    }

    /// Rows of the left with those of the right that have the same keys.
    ///
    /// @param wanted the columns that come out, of those that [#columns] has; null for all
    record Joined(LogicalPlan left, LogicalPlan right, Join join, List<String> wanted) implements LogicalPlan {
        /// The columns that can come out, where those of both sides are known.
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

    /// Hands all rows to a sink; what comes out is one block per task that says what it has written.
    record Write(LogicalPlan input, Sink sink, WriteJob job) implements LogicalPlan {
        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.of(FragmentBlock.SCHEMA);
        }
    }

    /// One row for each group of equal keys; without keys, one row.
    record GroupBy(LogicalPlan input, List<String> keys, List<Aggregate> aggregates, Optional<Schema> schema)
            implements LogicalPlan {
        public GroupBy {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        /// The columns it looks at.
        public Set<String> columns() {
            Set<String> columns = new LinkedHashSet<>(keys);
            aggregates.stream().map(Aggregate::column).filter(Objects::nonNull).forEach(columns::add);
            return columns;
        }
    }

    /// A function over the rows of each group of equal keys.
    record MapGroups(LogicalPlan input, List<String> keys, String name, BatchFunction function) implements LogicalPlan {
        public MapGroups {
            keys = List.copyOf(keys);
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.empty();
        }
    }

    /// One row for each group of equal keys, with a column for each value of another column and each aggregate.
    record Pivot(
            LogicalPlan input,
            List<String> keys,
            String column,
            List<?> values,
            List<Aggregate> aggregates,
            Optional<Schema> schema)
            implements LogicalPlan {
        public Pivot {
            keys = List.copyOf(keys);
            values = Collections.unmodifiableList(new ArrayList<>(values));
            aggregates = List.copyOf(aggregates);
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        /// The columns it looks at.
        public Set<String> columns() {
            Set<String> columns = new LinkedHashSet<>(keys);
            columns.add(column);
            aggregates.stream().map(Aggregate::column).filter(Objects::nonNull).forEach(columns::add);
            return columns;
        }
    }

    /// One row for each of some columns, with its name and its value.
    record Unpivot(LogicalPlan input, UnpivotStep step) implements LogicalPlan {
        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public Optional<Schema> schema() {
            return input.schema().map(step::output);
        }
    }

    /// The first row of each key.
    ///
    /// @param keys none: rows that are equal in all columns are one
    record Distinct(LogicalPlan input, List<String> keys) implements LogicalPlan {
        public Distinct {
            keys = List.copyOf(keys);
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public Optional<Schema> schema() {
            return Rewrite.schemaOf(input);
        }
    }

    /// The first `rows` rows of a sort.
    record TopRows(LogicalPlan input, List<SortKey> by, int rows) implements LogicalPlan {
        public TopRows {
            by = List.copyOf(by);
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public Optional<Schema> schema() {
            return Rewrite.schemaOf(input);
        }
    }

    /// The rows with columns that are computed of the rows around them.
    record Windowed(LogicalPlan input, Window window, List<WindowFunction> functions) implements LogicalPlan {
        public Windowed {
            functions = List.copyOf(functions);
        }

        @Override
        public List<LogicalPlan> inputs() {
            return List.of(input);
        }

        @Override
        public Optional<Schema> schema() {
            return input.schema().map(known -> WindowTypes.result(known, window, functions));
        }

        /// The columns that partitions and their order look at.
        public Set<String> keys() {
            Set<String> columns = new LinkedHashSet<>(window.keys());
            window.order().stream().map(SortKey::column).forEach(columns::add);
            return columns;
        }
    }

    /// The same rows in another order, or in other blocks.
    sealed interface Shuffle extends LogicalPlan {
        LogicalPlan input();

        Shuffle over(LogicalPlan other);

        /// The columns it looks at.
        List<String> keys();

        @Override
        default List<LogicalPlan> inputs() {
            return List.of(input());
        }

        @Override
        default Optional<Schema> schema() {
            return Rewrite.schemaOf(input());
        }
    }

    /// So many blocks: of equal numbers of rows in their order, or, with keys, rows with equal keys in one block.
    record Repartition(LogicalPlan input, int blocks, List<String> keys) implements Shuffle {
        public Repartition {
            keys = List.copyOf(keys);
        }

        @Override
        public Repartition over(LogicalPlan other) {
            return new Repartition(other, blocks, keys);
        }
    }

    /// Blocks of at most, or if `exact` of exactly, so many rows.
    record RepartitionRows(LogicalPlan input, long rows, boolean exact) implements Shuffle {
        @Override
        public RepartitionRows over(LogicalPlan other) {
            return new RepartitionRows(other, rows, exact);
        }

        @Override
        public List<String> keys() {
            return List.of();
        }
    }

    /// All rows by their keys, the first key first.
    ///
    /// @param boundaries keys as bytes between which each block lies; none: blocks of equal sizes
    record Sort(LogicalPlan input, List<SortKey> by, List<byte[]> boundaries) implements Shuffle {
        public Sort {
            by = List.copyOf(by);
            boundaries = List.copyOf(boundaries);
        }

        @Override
        public Sort over(LogicalPlan other) {
            return new Sort(other, by, boundaries);
        }

        @Override
        public List<String> keys() {
            return by.stream().map(SortKey::column).toList();
        }
    }

    /// All rows in an order by chance.
    record RandomShuffle(LogicalPlan input, long seed) implements Shuffle {
        @Override
        public RandomShuffle over(LogicalPlan other) {
            return new RandomShuffle(other, seed);
        }

        @Override
        public List<String> keys() {
            return List.of();
        }
    }

    /// All blocks in an order by chance, their rows as they are.
    record RandomizeBlocks(LogicalPlan input, long seed) implements Shuffle {
        @Override
        public RandomizeBlocks over(LogicalPlan other) {
            return new RandomizeBlocks(other, seed);
        }

        @Override
        public List<String> keys() {
            return List.of();
        }
    }
}
