package dev.millrace.internal.plan;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.compute.Resources;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.plan.optimize.PlanOptimizer;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.plan.physical.PhysicalPlanner;
import dev.millrace.internal.plan.physical.TasksAtOnce;
import dev.millrace.internal.stats.HumanUnits;
import dev.millrace.internal.transform.ColumnProjection;
import dev.millrace.relation.MixStop;
import dev.millrace.relation.SortKey;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.DatasetSetting;
import dev.millrace.settings.Settings;
import dev.millrace.window.WindowFunction;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The text of `explain()`: the plan as written, as optimized and as it will run, and the memory to expect.
public final class ExplainText {
    private static final int MAX_NODES = 20;

    private ExplainText() {}

    /// The nodes that tasks run on, where there are several.
    public static String nodes(List<Runtime.Node> all) {
        List<Runtime.Node> nodes = all.stream()
                .filter(node -> !node.resources().equals(Resources.NONE))
                .toList();
        if (nodes.size() < 2) {
            return "";
        }
        StringBuilder text = new StringBuilder("Nodes: " + nodes.size() + "\n");
        for (Runtime.Node node : nodes.subList(0, Math.min(MAX_NODES, nodes.size()))) {
            text.append("  ").append(node.name()).append(": ").append(node.resources());
            if (node.blockMemory() > 0) {
                text.append(", ").append(HumanUnits.bytes(node.blockMemory())).append(" for blocks");
            }
            text.append('\n');
        }
        return text.append(nodes.size() > MAX_NODES ? "  ...\n" : "").toString();
    }

    public static String text(LogicalPlan plan, Settings settings, Resources capacity) {
        LogicalPlan optimized = PlanOptimizer.optimize(plan);
        PhysicalPlan physical = PhysicalPlanner.plan(optimized, settings, capacity, capacity.memory());
        return "-------- Logical plan --------\n"
                + tree(plan, ExplainText::line, LogicalPlan::inputs)
                + "\n-------- Optimized plan --------\n"
                + tree(optimized, ExplainText::line, LogicalPlan::inputs)
                + "\n-------- Physical plan --------\n"
                + tree(physical, ExplainText::line, PhysicalPlan::inputs)
                + "\n"
                + ExpectedMemory.of(physical, settings, capacity, TasksAtOnce.of(optimized, capacity))
                + "\n";
    }

    /// A line about the settings that are not the session's; empty if there are none.
    public static String own(Settings settings, Settings session) {
        List<String> own = settings.ofDatasets().stream()
                .filter(setting -> !session.ofDatasets().contains(setting))
                .map(DatasetSetting::toString)
                .toList();
        return own.isEmpty() ? "" : "Settings of its own: " + String.join(", ", own) + ".\n";
    }

    /// The plan as written.
    public static String logical(LogicalPlan plan) {
        return tree(plan, ExplainText::line, LogicalPlan::inputs);
    }

    private static <P> String tree(P plan, Function<P, String> line, Function<P, List<P>> inputs) {
        StringBuilder text = new StringBuilder();
        append(text, "", plan, line, inputs);
        return text.toString();
    }

    private static <P> void append(
            StringBuilder text, String indent, P plan, Function<P, String> line, Function<P, List<P>> inputs) {
        text.append(line.apply(plan)).append('\n');
        List<P> below = inputs.apply(plan);
        for (int i = 0; i < below.size(); i++) {
            boolean last = i == below.size() - 1;
            text.append(indent).append("+- ");
            append(text, indent + (last ? "   " : "|  "), below.get(i), line, inputs);
        }
    }

    /// One node of a logical plan without its inputs.
    static String line(LogicalPlan plan) {
        return switch (plan) {
            case LogicalPlan.Read read ->
                "Read[" + read.source().name() + "]"
                        + read.schema().map(schema -> " (" + schema + ")").orElse("");
            case LogicalPlan.Blocks blocks -> "Blocks[" + blocks.blocks().size() + "]";
            case LogicalPlan.TransformRows rows -> "TransformRows[" + rows.name() + "]";
            case LogicalPlan.TransformBatches batches -> "TransformBatches[" + batches.name() + "]";
            case LogicalPlan.Filter filter -> "Filter[" + filter.predicate() + "]" + policy(filter.onError());
            case LogicalPlan.Project project ->
                "Project[" + describe(project.projection()) + "]" + policy(project.onError());
            case LogicalPlan.Limit limit ->
                limit.rows() == Long.MAX_VALUE
                        ? "Offset[" + limit.offset() + "]"
                        : "Limit[" + limit.rows() + (limit.offset() == 0 ? "" : " after " + limit.offset()) + "]";
            case LogicalPlan.Sample sample ->
                "Sample[" + sample.fraction() + ", seed " + sample.seed() + (sample.rest() ? ", the others]" : "]");
            case LogicalPlan.Explode explode -> "Explode[" + explode.column() + "]";
            case LogicalPlan.Download download ->
                "Download[" + download.column() + "]"
                        + policy(download.options().onError());
            case ShufflePlan.Repartition repartition ->
                "Repartition[" + repartition.blocks() + " blocks"
                        + (repartition.keys().isEmpty() ? "" : " by " + String.join(", ", repartition.keys()))
                        + (repartition.shuffled() ? ", shuffled]" : "]");
            case ShufflePlan.RepartitionRows rows ->
                "Repartition[" + rows.rows() + " rows " + (rows.exact() ? "each" : "at most") + "]";
            case GroupPlan.MapGroups groups ->
                "MapGroups[" + groups.name() + " by " + String.join(", ", groups.keys()) + "]";
            case GroupPlan.GroupBy groups ->
                (groups.keys().isEmpty() ? "Aggregate" : "GroupBy[" + String.join(", ", groups.keys()) + "]")
                        + groups.aggregates().stream()
                                .map(Aggregate::toString)
                                .collect(Collectors.joining(", ", "[", "]"));
            case ShufflePlan.Sort sort ->
                "Sort[" + sort.by().stream().map(SortKey::toString).collect(Collectors.joining(", ")) + "]";
            case ShufflePlan.RandomShuffle shuffle -> "RandomShuffle[seed " + shuffle.seed() + "]";
            case ShufflePlan.RandomizeBlocks blocks -> "RandomizeBlocks[seed " + blocks.seed() + "]";
            case GroupPlan.Pivot pivot ->
                "Pivot[" + String.join(", ", pivot.keys()) + " by " + pivot.column() + "]"
                        + pivot.aggregates().stream()
                                .map(Aggregate::toString)
                                .collect(Collectors.joining(", ", "[", "]"));
            case LogicalPlan.Unpivot unpivot ->
                "Unpivot[" + String.join(", ", unpivot.step().columns()) + "]";
            case GroupPlan.Distinct distinct ->
                "Distinct" + (distinct.keys().isEmpty() ? "" : "[" + String.join(", ", distinct.keys()) + "]");
            case LogicalPlan.TopRows top ->
                "TopRows[" + top.rows() + " by "
                        + top.by().stream().map(SortKey::toString).collect(Collectors.joining(", ")) + "]";
            case LogicalPlan.Windowed windowed ->
                "Window[" + windowed.window()
                        + windowed.functions().stream()
                                .map(WindowFunction::toString)
                                .collect(Collectors.joining(", ", ": ", "]"));
            case LogicalPlan.Union union -> "Union[" + union.inputs().size() + "]";
            case LogicalPlan.Mix mix ->
                "Mix["
                        + mix.weights().stream().map(String::valueOf).collect(Collectors.joining(" : "))
                        + (mix.stop() == MixStop.FIRST_EXHAUSTED ? ", to the end of the first" : "") + "]";
            case LogicalPlan.Zip _ -> "Zip";
            case LogicalPlan.Joined joined -> "Join[" + joined.join() + "]";
            case LogicalPlan.Write write -> "Write[" + write.sink().name() + "]";
        };
    }

    private static String policy(ErrorPolicy onError) {
        return onError.isFail() ? "" : " on error " + onError;
    }

    private static String describe(ColumnProjection projection) {
        return switch (projection) {
            case ColumnProjection.Select select -> named(select.columns());
            case ColumnProjection.Drop drop -> "all but " + String.join(", ", drop.columns());
            case ColumnProjection.Rename rename ->
                rename.names().entrySet().stream()
                        .map(name -> name.getKey() + " as " + name.getValue())
                        .sorted()
                        .collect(Collectors.joining(", ", "all with ", ""));
            case ColumnProjection.RenameAll renamed -> "all as " + String.join(", ", renamed.names());
            case ColumnProjection.WithColumns added -> "all and " + named(added.columns());
        };
    }

    private static String named(List<ColumnProjection.Named> columns) {
        return columns.stream()
                .map(column -> column.expression().outputName().equals(column.name())
                        ? column.expression().toString()
                        : column.expression() + " as " + column.name())
                .collect(Collectors.joining(", "));
    }

    private static String line(PhysicalPlan plan) {
        return switch (plan) {
            case PhysicalPlan.Read read ->
                "Read[" + read.name() + "] "
                        + (read.request().exact()
                                ? read.request().parallelism() + " blocks"
                                : "about " + read.request().parallelism() + " tasks")
                        + (read.maxConcurrency() < Integer.MAX_VALUE
                                ? ", at most " + read.maxConcurrency() + " at once"
                                : "")
                        + ", " + read.resources() + " each";
            case PhysicalPlan.Blocks blocks -> "Blocks[" + blocks.blocks().size() + "]";
            case PhysicalPlan.Map map ->
                "Map[" + map.name() + "] " + describe(map.strategy()) + ", " + map.resources() + " each"
                        + (map.bundleRows() > 1 ? ", input bundled to " + map.bundleRows() + " rows" : "");
            case PhysicalPlan.Limit limit -> limit.name();
            case PhysicalPlan.Union union -> "Union[" + union.inputs().size() + "]";
            case PhysicalPlan.Zip zip -> "Zip[" + zip.name() + "] tasks, " + zip.resources() + " each";
            case PhysicalPlan.Mix mix -> mix.name() + " tasks, " + mix.resources() + " each";
            case PhysicalPlan.Exchange exchange ->
                "Exchange[" + exchange.reduceName() + "] "
                        + (exchange.sides().stream().allMatch(side -> side.maker() == null)
                                ? "tasks"
                                : "map tasks, then reduce tasks")
                        + (exchange.broadcast() == null
                                ? ""
                                : " (or tasks over the "
                                        + (exchange.broadcast().side() == 0 ? "right" : "left")
                                        + " alone, if the other side is small)")
                        + ", " + exchange.resources() + " each";
            case PhysicalPlan.BlockOrder order -> order.name();
            case PhysicalPlan.Rows rows -> rows.name() + (rows.exact() ? " tasks, " + rows.resources() + " each" : "");
        };
    }

    private static String describe(Compute.Strategy strategy) {
        return switch (strategy) {
            case Compute.Tasks(int cap) -> cap == Integer.MAX_VALUE ? "tasks" : "at most " + cap + " tasks at once";
            case Compute.Actors pool ->
                (pool.min() == pool.max() ? pool.max() + " actors" : pool.min() + " to " + pool.max() + " actors")
                        + (pool.asked() > pool.min() ? " of " + pool.asked() + " asked for" : "");
        };
    }
}
