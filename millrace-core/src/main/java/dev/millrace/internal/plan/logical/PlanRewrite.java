package dev.millrace.internal.plan.logical;

import dev.millrace.type.Schema;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// Traverses and rebuilds logical plans.
public final class PlanRewrite {
    private PlanRewrite() {}

    /// Applies `change` to every node, inputs first. Unchanged nodes are kept.
    @SuppressWarnings("ReferenceEquality") // whether a node was replaced; comparing plans would walk them at each level
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

    /// Calls the visitor with every node of a plan, from the root on, the first input before the second. Iterative: a
    /// plan may be thousands of nodes deep.
    public static void visit(LogicalPlan plan, Consumer<? super LogicalPlan> visitor) {
        ArrayDeque<LogicalPlan> left = new ArrayDeque<>();
        left.push(plan);
        while (!left.isEmpty()) {
            LogicalPlan next = left.pop();
            visitor.accept(next);
            next.inputs().reversed().forEach(left::push);
        }
    }

    /// The depth of a plan in nodes.
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

    /// The schema of a plan, skipping nodes that keep that of their only input.
    static Optional<Schema> schemaOf(LogicalPlan plan) {
        LogicalPlan below = plan;
        while (below instanceof LogicalPlan.Filter
                || below instanceof LogicalPlan.Limit
                || below instanceof LogicalPlan.Sample
                || below instanceof GroupPlan.Distinct
                || below instanceof ShufflePlan
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
            case LogicalPlan.Unary node -> node.withInput(inputs.getFirst());
            case LogicalPlan.Union union -> union.withInputs(inputs).withSchema(unionSchema(union, inputs));
            case LogicalPlan.Mix mix -> mix.withInputs(inputs);
            case LogicalPlan.Zip zip -> zip.withInputs(inputs.getFirst(), inputs.getLast());
            case LogicalPlan.Joined joined -> joined.withInputs(inputs.getFirst(), inputs.getLast());
        };
    }

    /// Pruned inputs narrow a union: if all of them agree, that is its schema.
    private static Optional<Schema> unionSchema(LogicalPlan.Union union, List<LogicalPlan> inputs) {
        Optional<Schema> first = inputs.getFirst().schema();
        boolean agree = first.isPresent()
                && inputs.stream().allMatch(input -> input.schema().equals(first));
        return agree ? first : union.schema();
    }
}
