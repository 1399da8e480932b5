package dev.millrace.internal.plan.logical;

import dev.millrace.relation.MixStop;
import dev.millrace.runtime.BlockSlice;
import java.util.List;
import java.util.OptionalLong;

/// The number of rows of a plan, if it is known without running it: `count()` answers from it, and progress shows it as
/// the total.
public final class KnownRows {
    private KnownRows() {}

    public static OptionalLong of(LogicalPlan plan) {
        return switch (plan) {
            case LogicalPlan.Read read ->
                read.onError().isFail() ? read.source().rows() : OptionalLong.empty();
            case LogicalPlan.Blocks blocks ->
                OptionalLong.of(
                        blocks.blocks().stream().mapToLong(BlockSlice::rows).sum());
            case LogicalPlan.Project project -> project.keepsRows() ? of(project.input()) : OptionalLong.empty();
            case LogicalPlan.TransformRows rows -> rows.keepsRows() ? of(rows.input()) : OptionalLong.empty();
            case LogicalPlan.Download download ->
                download.options().onError().keepsRows() ? of(download.input()) : OptionalLong.empty();
            case GroupPlan.GroupBy groups -> groups.keys().isEmpty() ? OptionalLong.of(1) : OptionalLong.empty();
            case ShufflePlan shuffle -> of(shuffle.input());
            case LogicalPlan.Windowed windowed -> of(windowed.input());
            case LogicalPlan.Unpivot unpivot -> {
                OptionalLong all = of(unpivot.input());
                int times = unpivot.step().columns().size();
                yield all.isEmpty() ? all : OptionalLong.of(Math.multiplyExact(all.getAsLong(), times));
            }
            case LogicalPlan.TopRows top -> {
                OptionalLong all = of(top.input());
                yield all.isEmpty() ? all : OptionalLong.of(Math.min(top.rows(), all.getAsLong()));
            }
            case LogicalPlan.Limit limit -> limited(limit);
            case LogicalPlan.Union union -> sum(union.inputs());
            case LogicalPlan.Mix mix -> mix.stop() == MixStop.ALL_EXHAUSTED ? sum(mix.inputs()) : OptionalLong.empty();
            // Both sides must have the same number; a mismatch is an error when it runs.
            case LogicalPlan.Zip zip -> same(of(zip.left()), of(zip.right()));
            case LogicalPlan.Filter _,
                    LogicalPlan.Sample _,
                    LogicalPlan.Explode _,
                    LogicalPlan.TransformBatches _,
                    LogicalPlan.Joined _,
                    GroupPlan.MapGroups _,
                    GroupPlan.Distinct _,
                    GroupPlan.Pivot _,
                    LogicalPlan.Write _ -> OptionalLong.empty();
        };
    }

    private static OptionalLong limited(LogicalPlan.Limit limit) {
        if (limit.rows() == 0) {
            return OptionalLong.of(0);
        }
        OptionalLong all = of(limit.input());
        return all.isEmpty()
                ? all
                : OptionalLong.of(Math.min(limit.rows(), Math.max(0, all.getAsLong() - limit.offset())));
    }

    private static OptionalLong sum(List<LogicalPlan> inputs) {
        long total = 0;
        for (LogicalPlan input : inputs) {
            OptionalLong rows = of(input);
            if (rows.isEmpty()) {
                return rows;
            }
            total += rows.getAsLong();
        }
        return OptionalLong.of(total);
    }

    private static OptionalLong same(OptionalLong left, OptionalLong right) {
        return left.equals(right) ? left : OptionalLong.empty();
    }
}
