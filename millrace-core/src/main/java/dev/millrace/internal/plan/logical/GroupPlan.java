package dev.millrace.internal.plan.logical;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.compute.Compute;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// A node for which rows with equal keys are brought together.
public sealed interface GroupPlan extends LogicalPlan.Unary {
    @Override
    GroupPlan withInput(LogicalPlan other);

    List<String> keys();

    /// One row for each group of equal keys; without keys, one row.
    ///
    /// @param site the user's line
    record GroupBy(
            LogicalPlan input, List<String> keys, List<Aggregate> aggregates, Optional<Schema> schema, String site)
            implements GroupPlan {
        public GroupBy {
            keys = List.copyOf(keys);
            aggregates = List.copyOf(aggregates);
        }

        public GroupBy(LogicalPlan input, List<String> keys, List<Aggregate> aggregates, Optional<Schema> schema) {
            this(input, keys, aggregates, schema, CallSite.UNKNOWN);
        }

        @Override
        public GroupBy withInput(LogicalPlan other) {
            return new GroupBy(other, keys, aggregates, schema, site);
        }

        public GroupBy withAggregates(List<Aggregate> others, Optional<Schema> otherSchema) {
            return new GroupBy(input, keys, others, otherSchema, site);
        }

        /// The columns it reads.
        public Set<String> columns() {
            Set<String> columns = new LinkedHashSet<>(keys);
            aggregates.stream().map(Aggregate::column).filter(Objects::nonNull).forEach(columns::add);
            return columns;
        }
    }

    /// A function over the rows of each group of equal keys.
    ///
    /// @param schema of the results, if the function declares it
    /// @param site the user's line
    record MapGroups(
            LogicalPlan input,
            List<String> keys,
            String name,
            BatchOperation operation,
            Compute compute,
            Optional<Schema> schema,
            String site)
            implements GroupPlan {
        public MapGroups {
            keys = List.copyOf(keys);
        }

        @Override
        public MapGroups withInput(LogicalPlan other) {
            return new MapGroups(other, keys, name, operation, compute, schema, site);
        }
    }

    /// One row for each group of equal keys, with a column for each value of another column and each aggregate.
    ///
    /// @param site the user's line
    record Pivot(
            LogicalPlan input,
            List<String> keys,
            String column,
            List<?> values,
            List<Aggregate> aggregates,
            Optional<Schema> schema,
            String site)
            implements GroupPlan {
        public Pivot {
            keys = List.copyOf(keys);
            values = Collections.unmodifiableList(new ArrayList<>(values));
            aggregates = List.copyOf(aggregates);
        }

        @Override
        public Pivot withInput(LogicalPlan other) {
            return new Pivot(other, keys, column, values, aggregates, schema, site);
        }

        /// The columns it reads.
        public Set<String> columns() {
            Set<String> columns = new LinkedHashSet<>(keys);
            columns.add(column);
            aggregates.stream().map(Aggregate::column).filter(Objects::nonNull).forEach(columns::add);
            return columns;
        }
    }

    /// The first row of each key.
    ///
    /// @param keys none: all columns are the key
    /// @param site the user's line
    record Distinct(LogicalPlan input, List<String> keys, String site) implements GroupPlan {
        public Distinct {
            keys = List.copyOf(keys);
        }

        @Override
        public Distinct withInput(LogicalPlan other) {
            return new Distinct(other, keys, site);
        }

        @Override
        public Optional<Schema> schema() {
            return PlanRewrite.schemaOf(input);
        }
    }
}
