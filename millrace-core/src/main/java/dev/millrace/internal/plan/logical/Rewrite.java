package dev.millrace.internal.plan.logical;

import dev.millrace.type.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Walking and rebuilding logical plans. The one place that knows how each node takes new inputs.
public final class Rewrite {
    private Rewrite() {}

    /// The plan with `change` applied to every node, inputs first. Nodes that do not change are kept.
    public static LogicalPlan bottomUp(LogicalPlan plan, UnaryOperator<LogicalPlan> change) {
        List<LogicalPlan> inputs = new ArrayList<>(plan.inputs().size());
        boolean changed = false;
        for (LogicalPlan input : plan.inputs()) {
            LogicalPlan rewritten = bottomUp(input, change);
            changed |= rewritten != input;
            inputs.add(rewritten);
        }
        return change.apply(changed ? withInputs(plan, inputs) : plan);
    }

    /// Shows every node of a plan, from the root on, the first input before the second. Without calling itself: a plan
    /// may
    /// be thousands of nodes deep.
    public static void visit(LogicalPlan plan, Consumer<? super LogicalPlan> visitor) {
        ArrayDeque<LogicalPlan> left = new ArrayDeque<>();
        left.push(plan);
        while (!left.isEmpty()) {
            LogicalPlan next = left.pop();
            visitor.accept(next);
            next.inputs().reversed().forEach(left::push);
        }
    }

    /// How many nodes stand on top of each other.
    public static int depth(LogicalPlan plan) {
        record At(LogicalPlan plan, int depth) {}
        ArrayDeque<At> left = new ArrayDeque<>();
        left.push(new At(plan, 1));
        int deepest = 0;
        while (!left.isEmpty()) {
            At at = left.pop();
            deepest = Math.max(deepest, at.depth);
            at.plan.inputs().forEach(input -> left.push(new At(input, at.depth + 1)));
        }
        return deepest;
    }

    /// The schema of a plan, past the nodes that keep that of their one input.
    static Optional<Schema> schemaOf(LogicalPlan plan) {
        LogicalPlan below = plan;
        while (below instanceof LogicalPlan.Filter
                || below instanceof LogicalPlan.Limit
                || below instanceof LogicalPlan.Sample
                || below instanceof LogicalPlan.Distinct
                || below instanceof LogicalPlan.Shuffle
                || below instanceof LogicalPlan.TopRows) {
            below = below.inputs().getFirst();
        }
        return below.schema();
    }

    /// The same node over other inputs. Its schema is kept: rules never change what a node means.
    public static LogicalPlan withInputs(LogicalPlan plan, List<LogicalPlan> inputs) {
        return switch (plan) {
            case LogicalPlan.Read read -> read;
            case LogicalPlan.Blocks blocks -> blocks;
            case LogicalPlan.TransformRows n ->
                new LogicalPlan.TransformRows(inputs.getFirst(), n.name(), n.operation(), n.compute(), n.schema());
            case LogicalPlan.TransformBatches n ->
                new LogicalPlan.TransformBatches(inputs.getFirst(), n.name(), n.operation(), n.compute());
            case LogicalPlan.Filter n -> n.with(inputs.getFirst(), n.predicate());
            case LogicalPlan.Project n -> n.with(inputs.getFirst(), n.projection(), n.schema());
            case LogicalPlan.Limit n -> new LogicalPlan.Limit(inputs.getFirst(), n.offset(), n.rows());
            case LogicalPlan.Sample n -> new LogicalPlan.Sample(inputs.getFirst(), n.fraction(), n.seed());
            case LogicalPlan.Explode n ->
                new LogicalPlan.Explode(inputs.getFirst(), n.column(), n.keepEmpty(), n.schema());
            case LogicalPlan.Download n ->
                new LogicalPlan.Download(inputs.getFirst(), n.column(), n.options(), n.schema());
            case LogicalPlan.Union n -> new LogicalPlan.Union(inputs, unionSchema(n, inputs));
            case LogicalPlan.Mix n -> new LogicalPlan.Mix(inputs, n.weights(), n.stop(), n.schema());
            case LogicalPlan.Zip n -> new LogicalPlan.Zip(inputs.getFirst(), inputs.getLast(), n.schema());
            case LogicalPlan.GroupBy n ->
                new LogicalPlan.GroupBy(inputs.getFirst(), n.keys(), n.aggregates(), n.schema());
            case LogicalPlan.Joined n ->
                new LogicalPlan.Joined(inputs.getFirst(), inputs.getLast(), n.join(), n.wanted());
            case LogicalPlan.MapGroups n ->
                new LogicalPlan.MapGroups(inputs.getFirst(), n.keys(), n.name(), n.function());
            case LogicalPlan.Pivot n ->
                new LogicalPlan.Pivot(inputs.getFirst(), n.keys(), n.column(), n.values(), n.aggregates(), n.schema());
            case LogicalPlan.Unpivot n -> new LogicalPlan.Unpivot(inputs.getFirst(), n.step());
            case LogicalPlan.Distinct n -> new LogicalPlan.Distinct(inputs.getFirst(), n.keys());
            case LogicalPlan.TopRows n -> new LogicalPlan.TopRows(inputs.getFirst(), n.by(), n.rows());
            case LogicalPlan.Windowed n -> new LogicalPlan.Windowed(inputs.getFirst(), n.window(), n.functions());
            case LogicalPlan.Shuffle n -> n.over(inputs.getFirst());
            case LogicalPlan.Write n -> new LogicalPlan.Write(inputs.getFirst(), n.sink(), n.job());
        };
    }

    /// Pruned inputs narrow a union: where all of them agree, that is its schema.
    private static Optional<Schema> unionSchema(LogicalPlan.Union union, List<LogicalPlan> inputs) {
        Optional<Schema> first = inputs.getFirst().schema();
        boolean agree = first.isPresent()
                && inputs.stream().allMatch(input -> input.schema().equals(first));
        return agree ? first : union.schema();
    }
}
