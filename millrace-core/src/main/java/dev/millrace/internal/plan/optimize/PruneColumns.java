package dev.millrace.internal.plan.optimize;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.AggregateFunction;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.internal.kernel.aggregate.AggregateTypes;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.transform.ColumnProjection;
import dev.millrace.internal.transform.DownloadStep;
import dev.millrace.internal.transform.RowOperation;
import dev.millrace.relation.SortKey;
import dev.millrace.source.Source;
import dev.millrace.type.Schema;
import dev.millrace.window.WindowFunction;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Projection pushdown: reads and computes only columns that are used above. The needed names are passed from the root
/// to the reads.
///
/// ```
/// Project(select a)             Project(select a)
/// +- Filter(b > 5)       =>     +- Filter(b > 5)
///    +- Read(a, b, c)              +- Read(a, b)
/// ```
final class PruneColumns implements OptimizerRule {
    /// All columns are needed: null, which names none.
    private static final @Nullable Set<String> ALL = null;

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
        return prune(plan, ALL);
    }

    private static LogicalPlan prune(LogicalPlan plan, @Nullable Set<String> needed) {
        return switch (plan) {
            case LogicalPlan.Read read -> narrow(read, needed);
            case LogicalPlan.Blocks blocks -> blocks;
            case LogicalPlan.Filter filter ->
                through(
                        filter,
                        keepsLetters(filter.onError())
                                ? ALL
                                : plus(needed, filter.predicate().columns()));
            case LogicalPlan.Limit limit -> through(limit, needed);
            // Which rows are kept depends on the blocks, and these on their columns.
            case LogicalPlan.Sample sample -> through(sample, ALL);
            case ShufflePlan shuffle -> through(shuffle, plus(needed, Set.copyOf(shuffle.keys())));
            case GroupPlan.GroupBy groups -> pruneGroups(groups, needed);
            case GroupPlan.Pivot pivot -> through(pivot, pivot.columns());
            case LogicalPlan.Unpivot unpivot -> pruneUnpivot(unpivot, needed);
            case GroupPlan.Distinct distinct ->
                through(distinct, distinct.keys().isEmpty() ? ALL : plus(needed, Set.copyOf(distinct.keys())));
            case LogicalPlan.TopRows top ->
                through(top, plus(needed, top.by().stream().map(SortKey::column).collect(Collectors.toSet())));
            case LogicalPlan.Windowed windowed -> pruneWindow(windowed, needed);
            case LogicalPlan.Project project -> pruneProject(project, needed);
            case LogicalPlan.Explode explode -> pruneExplode(explode, needed);
            case LogicalPlan.Download download -> pruneDownload(download, needed);
            case LogicalPlan.TransformRows rows -> through(rows, readBy(rows.operation(), needed));
            case GroupPlan.MapGroups groups -> through(groups, ALL);
            case LogicalPlan.TransformBatches batches -> through(batches, ALL);
            case LogicalPlan.Write write -> through(write, ALL);
            // Positions and names of both sides determine the output's names.
            case LogicalPlan.Zip zip -> zip.withInputs(prune(zip.left(), ALL), prune(zip.right(), ALL));
            case LogicalPlan.Joined joined -> PruneJoin.prune(joined, needed, PruneColumns::prune);
            case LogicalPlan.Mix mix ->
                mix.withInputs(mix.inputs().stream().map(i -> prune(i, ALL)).toList());
            // The inputs are aligned by name against the union's own schema.
            case LogicalPlan.Union union ->
                PlanRewrite.withInputs(
                        union, union.inputs().stream().map(i -> prune(i, ALL)).toList());
        };
    }

    private static LogicalPlan through(LogicalPlan.Unary node, @Nullable Set<String> needed) {
        return node.withInput(prune(node.input(), needed));
    }

    private static LogicalPlan pruneProject(LogicalPlan.Project project, @Nullable Set<String> needed) {
        if (!(project.projection() instanceof ColumnProjection.Select select)) {
            return through(project, ALL);
        }
        // Which rows are dropped depends on all expressions.
        List<ColumnProjection.Named> kept = needed == null || !project.keepsRows()
                ? select.columns()
                : select.columns().stream()
                        .filter(column -> isNeeded(column.name(), needed))
                        .toList();
        Set<String> read = new LinkedHashSet<>();
        kept.forEach(column -> read.addAll(column.expression().columns()));
        LogicalPlan input = prune(project.input(), keepsLetters(project.onError()) ? ALL : read);
        Optional<Schema> schema = project.schema()
                .map(all -> Schema.of(kept.stream()
                        .map(column -> all.field(all.indexOf(column.name())))
                        .toList()));
        return project.withInput(input).withProjection(new ColumnProjection.Select(kept), schema);
    }

    /// A dead letter contains the whole row.
    private static boolean keepsLetters(ErrorPolicy policy) {
        return policy.action() == ErrorPolicy.Action.DEAD_LETTER;
    }

    /// Files are fetched even if their bytes are not used: whether they can be fetched may decide about rows.
    private static LogicalPlan pruneDownload(LogicalPlan.Download download, @Nullable Set<String> needed) {
        Set<String> read = plus(needed, Set.of(download.column()));
        LogicalPlan input =
                prune(download.input(), keepsLetters(download.options().onError()) ? ALL : read);
        Optional<Schema> schema = input.schema()
                .map(columns -> DownloadStep.output(
                        columns, download.column(), download.options().column()));
        return download.withInput(input).withSchema(schema.or(download::schema));
    }

    /// Unused aggregates are not computed, except user-defined ones, which may have side effects. A group by without
    /// keys keeps one aggregate, because its output needs a column.
    private static LogicalPlan pruneGroups(GroupPlan.GroupBy groups, @Nullable Set<String> needed) {
        if (needed == null || groups.schema().isEmpty()) {
            return through(groups, groups.columns());
        }
        List<String> keys = groups.keys();
        List<String> names = AggregateTypes.names(keys, groups.aggregates());
        List<Aggregate> kept = new ArrayList<>();
        for (int i = 0; i < groups.aggregates().size(); i++) {
            Aggregate aggregate = groups.aggregates().get(i);
            String name = names.get(keys.size() + i);
            if (isNeeded(name, needed) || aggregate.function() == AggregateFunction.DEFINED) {
                kept.add(aggregate.as(name));
            }
        }
        if (kept.isEmpty() && keys.isEmpty()) {
            kept.add(groups.aggregates().getFirst());
        }
        Set<String> left = new HashSet<>(keys);
        kept.forEach(aggregate -> left.add(aggregate.name()));
        Schema schema = Schema.of(groups.schema().get().fields().stream()
                .filter(field -> left.contains(field.name()))
                .toList());
        GroupPlan.GroupBy pruned = groups.withAggregates(kept, Optional.of(schema));
        return through(pruned, pruned.columns());
    }

    /// Unused functions are not computed; the rows keep the window's order.
    private static LogicalPlan pruneWindow(LogicalPlan.Windowed windowed, @Nullable Set<String> needed) {
        if (needed == null) {
            return through(windowed, ALL);
        }
        List<WindowFunction> kept = windowed.functions().stream()
                .filter(function -> isNeeded(function.name(), needed))
                .toList();
        Set<String> read = new LinkedHashSet<>(needed);
        read.addAll(windowed.keys());
        kept.forEach(function -> read.remove(function.name()));
        kept.stream().map(WindowFunction::column).filter(Objects::nonNull).forEach(read::add);
        return windowed.withInput(prune(windowed.input(), read)).withFunctions(kept);
    }

    private static LogicalPlan pruneUnpivot(LogicalPlan.Unpivot unpivot, @Nullable Set<String> needed) {
        Set<String> read = plus(needed, Set.copyOf(unpivot.step().columns()));
        if (read != null) {
            read.remove(unpivot.step().nameColumn());
            read.remove(unpivot.step().valueColumn());
            read.addAll(unpivot.step().columns());
        }
        return through(unpivot, read);
    }

    private static LogicalPlan pruneExplode(LogicalPlan.Explode explode, @Nullable Set<String> needed) {
        LogicalPlan input = prune(explode.input(), plus(needed, Set.of(explode.column())));
        Optional<Schema> schema = input.schema().isEmpty() || explode.schema().isEmpty()
                ? explode.schema()
                : explode.schema()
                        .map(all -> Schema.of(all.fields().stream()
                                .filter(field -> input.schema().get().contains(field.name()))
                                .toList()));
        return explode.withInput(input).withSchema(schema);
    }

    /// A function over records reads only their components; one that filters passes all columns of its rows on.
    private static @Nullable Set<String> readBy(RowOperation operation, @Nullable Set<String> needed) {
        return switch (operation) {
            case RowOperation.MapRecord<?, ?> map -> components(map.input());
            case RowOperation.FlatMapRecord<?, ?> map -> components(map.input());
            case RowOperation.FilterRecord<?> filter -> plus(needed, components(filter.input()));
            case RowOperation.Map _, RowOperation.Filter _, RowOperation.FlatMap _, RowOperation.Stateful _ -> ALL;
        };
    }

    private static @Nullable Set<String> components(Class<?> type) {
        if (!type.isRecord()) {
            return ALL;
        }
        Set<String> names = new LinkedHashSet<>();
        Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).forEach(names::add);
        return names;
    }

    private static boolean isNeeded(String name, @Nullable Set<String> needed) {
        return needed == null || needed.contains(name);
    }

    private static @Nullable Set<String> plus(@Nullable Set<String> needed, @Nullable Set<String> more) {
        if (needed == null || more == null) {
            return ALL;
        }
        Set<String> both = new LinkedHashSet<>(needed);
        both.addAll(more);
        return both;
    }

    private static LogicalPlan narrow(LogicalPlan.Read read, @Nullable Set<String> needed) {
        Optional<Schema> schema = read.schema();
        if (needed == null || schema.isEmpty()) {
            return read;
        }
        List<String> kept = new ArrayList<>(schema.get().names());
        kept.retainAll(needed);
        if (kept.size() == schema.get().size()) {
            return read;
        }
        Optional<Source> narrowed = read.source().project(kept);
        return narrowed.<LogicalPlan>map(read::withSource).orElse(read);
    }
}
