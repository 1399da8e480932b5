package dev.millrace.internal.plan.logical;

import dev.millrace.expression.Alias;
import dev.millrace.expression.ColumnReference;
import dev.millrace.expression.Expression;
import dev.millrace.internal.transform.ColumnProjection;
import dev.millrace.internal.transform.ProjectionResolution;
import dev.millrace.source.ColumnStatistics;
import dev.millrace.type.Schema;
import java.util.Optional;
import java.util.OptionalLong;

/// Statistics of a plan's columns that are known without running it: those of the source, as far as no step changes the
/// values.
public final class KnownStatistics {
    private KnownStatistics() {}

    public static ColumnStatistics of(LogicalPlan plan, String column) {
        return switch (plan) {
            case LogicalPlan.Read read -> read.source().statistics(column);
            case LogicalPlan.Project project -> projected(project, column);
            case ShufflePlan shuffle -> of(shuffle.input(), column);
            case LogicalPlan.Filter filter -> ofSome(of(filter.input(), column));
            case LogicalPlan.Sample sample -> ofSome(of(sample.input(), column));
            case LogicalPlan.Limit limit -> ofSome(of(limit.input(), column));
            case LogicalPlan.TopRows top -> ofSome(of(top.input(), column));
            case GroupPlan.Distinct distinct -> ofSome(of(distinct.input(), column));
            case LogicalPlan.Blocks _,
                    LogicalPlan.TransformRows _,
                    LogicalPlan.TransformBatches _,
                    LogicalPlan.Explode _,
                    LogicalPlan.Download _,
                    LogicalPlan.Union _,
                    LogicalPlan.Mix _,
                    LogicalPlan.Zip _,
                    LogicalPlan.Joined _,
                    LogicalPlan.Write _,
                    GroupPlan.GroupBy _,
                    GroupPlan.MapGroups _,
                    GroupPlan.Pivot _,
                    LogicalPlan.Unpivot _,
                    LogicalPlan.Windowed _ -> ColumnStatistics.UNKNOWN;
        };
    }

    private static ColumnStatistics projected(LogicalPlan.Project project, String column) {
        Optional<Schema> input = project.input().schema();
        if (input.isEmpty()) {
            return ColumnStatistics.UNKNOWN;
        }
        for (ColumnProjection.Named output :
                ProjectionResolution.resolve(project.projection(), input.get()).columns()) {
            if (output.name().equals(column)) {
                Expression made = output.expression();
                Expression value = made instanceof Alias alias ? alias.input() : made;
                return value instanceof ColumnReference reference
                        ? of(project.input(), reference.name())
                        : ColumnStatistics.UNKNOWN;
            }
        }
        return ColumnStatistics.UNKNOWN;
    }

    /// For a subset of the rows: bounds hold, counts of nulls do not.
    private static ColumnStatistics ofSome(ColumnStatistics all) {
        return new ColumnStatistics(all.min(), all.max(), OptionalLong.empty(), all.distinct());
    }
}
