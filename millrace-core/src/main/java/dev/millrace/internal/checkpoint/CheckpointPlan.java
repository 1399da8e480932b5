package dev.millrace.internal.checkpoint;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.ExplainText;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.thread.DeepStack;
import dev.millrace.source.Source;
import dev.millrace.source.SplitRequest;
import java.util.List;
import java.util.OptionalLong;

/// Decides which plans can be resumed split by split, and adapts their operators.
public final class CheckpointPlan {
    private CheckpointPlan() {}

    /// Refuses plans in which a row of the output depends on more than its split.
    public static void require(LogicalPlan plan) {
        switch (plan) {
            case LogicalPlan.Read read -> {
                if (read.source().isLocal() || !read.source().isRepeatable()) {
                    throw refused("its rows come from an object of this process ("
                            + read.source().name()
                            + "), which the next one does not have. Write the rows to files first.");
                }
            }
            case LogicalPlan.Limit _ ->
                throw refused("a limit or offset counts rows over all splits, and a resumed run does not see those that"
                        + " are done. Write the limited rows first and checkpoint what is made from them.");
            case LogicalPlan.Blocks _ ->
                throw refused("its rows are materialised in the memory of this process. Checkpoint the dataset before"
                        + " materialize().");
            case LogicalPlan.Union _ ->
                throw refused(
                        "a union has several sources, and a checkpoint follows the splits of one. Write each input"
                                + " with a checkpoint of its own, to the same folder if you like.");
            case ShufflePlan _, GroupPlan.Distinct _, LogicalPlan.TopRows _, LogicalPlan.Windowed _ ->
                throw refused("a shuffle mixes rows of all splits. Write the shuffled rows first and checkpoint what is"
                        + " made from them.");
            case GroupPlan.GroupBy _, GroupPlan.MapGroups _, GroupPlan.Pivot _ ->
                throw refused("a group has rows of all splits. Write the groups first and checkpoint what is made from"
                        + " them.");
            case LogicalPlan.Mix _ ->
                throw refused("a mix has rows of several sources. Write the mixed rows first and checkpoint what is"
                        + " made from them.");
            case LogicalPlan.Zip _ ->
                throw refused("a zip pairs rows of different splits. Write the zipped rows first and checkpoint what is"
                        + " made from them.");
            case LogicalPlan.Joined _ ->
                throw refused(
                        "a join pairs rows of different splits. Write the joined rows first and checkpoint what is"
                                + " made from them.");
            case LogicalPlan.TransformRows _,
                    LogicalPlan.TransformBatches _,
                    LogicalPlan.Filter _,
                    LogicalPlan.Project _,
                    LogicalPlan.Sample _,
                    LogicalPlan.Explode _,
                    LogicalPlan.Unpivot _,
                    LogicalPlan.Download _,
                    LogicalPlan.Write _ -> require(plan.inputs().getFirst());
        }
    }

    /// The plan as a manifest stores it. Lines of lambdas are omitted: a comment added above one changes nothing.
    public static List<String> describe(LogicalPlan plan) {
        return DeepStack.call(() -> ExplainText.logical(plan))
                .lines()
                .map(line -> line.replaceAll("(\\w):\\d+\\)", "$1)"))
                .toList();
    }

    private static MillraceException refused(String why) {
        return MillraceException.user("checkpoint: this dataset cannot be resumed: " + why);
    }

    /// The read at the bottom of a plan that qualifies.
    public static PhysicalPlan.Read read(PhysicalPlan plan) {
        return plan instanceof PhysicalPlan.Read read
                ? read
                : read(plan.inputs().getFirst());
    }

    /// The plan over other splits. Tasks take single blocks, as a bundle could hold rows of two splits: batches end
    /// where blocks do.
    public static PhysicalPlan over(PhysicalPlan plan, Source splits, SplitRequest request) {
        return switch (plan) {
            case PhysicalPlan.Read read ->
                read.withSource(splits).withRequest(request.inexact()).withTotalRows(OptionalLong.empty());
            case PhysicalPlan.Map map ->
                map.withInput(over(map.input(), splits, request)).withBundleRows(0);
            case PhysicalPlan.Blocks _,
                    PhysicalPlan.Limit _,
                    PhysicalPlan.Union _,
                    PhysicalPlan.Zip _,
                    PhysicalPlan.Mix _,
                    PhysicalPlan.Exchange _,
                    PhysicalPlan.BlockOrder _,
                    PhysicalPlan.Rows _ -> throw MillraceException.internal("a checkpoint over " + plan.name());
        };
    }
}
