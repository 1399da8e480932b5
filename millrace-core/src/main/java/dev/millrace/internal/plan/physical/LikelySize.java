package dev.millrace.internal.plan.physical;

import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.KnownRows;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.ShufflePlan;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.OptionalLong;

/// Estimates the bytes and rows of a plan. Good enough to decide which of two inputs is smaller, and no more.
public final class LikelySize {
    private static final double FILTERED = 0.3;
    private static final double GROUPED = 0.2;
    private static final double EXPLODED = 4;
    private static final double UNKNOWN = Double.NaN;
    private static final int TEXT_BYTES = 20;
    private static final int NESTED_BYTES = 100;
    private static final int WORD_BYTES = 8;

    private LikelySize() {}

    /// NaN if nothing is known.
    static double bytes(LogicalPlan plan) {
        double rows = countedRows(plan);
        if (!Double.isNaN(rows) && plan.schema().isPresent()) {
            return rows * rowBytes(plan.schema().get());
        }
        return switch (plan) {
            case LogicalPlan.Read read ->
                read.source().sizeBytes().isPresent()
                        ? read.source().sizeBytes().getAsLong()
                        : UNKNOWN;
            case LogicalPlan.Blocks blocks ->
                blocks.blocks().stream().mapToLong(BlockSlice::sizeBytes).sum();
            case LogicalPlan.Filter filter -> FILTERED * bytes(filter.input());
            case LogicalPlan.Sample sample -> sample.share() * bytes(sample.input());
            case GroupPlan.GroupBy groups -> GROUPED * bytes(groups.input());
            case LogicalPlan.Explode explode -> EXPLODED * bytes(explode.input());
            case LogicalPlan.TransformRows _,
                    LogicalPlan.TransformBatches _,
                    LogicalPlan.Project _,
                    LogicalPlan.Limit _,
                    LogicalPlan.Download _,
                    LogicalPlan.Union _,
                    LogicalPlan.Mix _,
                    LogicalPlan.Zip _,
                    LogicalPlan.Joined _,
                    LogicalPlan.Write _,
                    GroupPlan.MapGroups _,
                    GroupPlan.Pivot _,
                    LogicalPlan.Unpivot _,
                    GroupPlan.Distinct _,
                    LogicalPlan.TopRows _,
                    LogicalPlan.Windowed _,
                    ShufflePlan _ ->
                plan.inputs().stream().mapToDouble(LikelySize::bytes).sum();
        };
    }

    /// From the bytes of files if rows were not counted; NaN if nothing is known.
    public static double rows(LogicalPlan plan) {
        double rows = countedRows(plan);
        return Double.isNaN(rows) && plan.schema().isPresent()
                ? bytes(plan) / rowBytes(plan.schema().get())
                : rows;
    }

    private static double countedRows(LogicalPlan plan) {
        OptionalLong known = KnownRows.of(plan);
        if (known.isPresent()) {
            return known.getAsLong();
        }
        return switch (plan) {
            case LogicalPlan.Filter filter -> FILTERED * countedRows(filter.input());
            case LogicalPlan.Sample sample -> sample.share() * countedRows(sample.input());
            case GroupPlan.GroupBy groups -> GROUPED * countedRows(groups.input());
            case LogicalPlan.Explode explode -> EXPLODED * countedRows(explode.input());
            case LogicalPlan.Joined joined -> Math.max(countedRows(joined.left()), countedRows(joined.right()));
            case LogicalPlan.Limit limit -> Math.min((double) limit.rows(), countedRows(limit.input()));
            case LogicalPlan.Read _, LogicalPlan.Blocks _ -> UNKNOWN;
            case LogicalPlan.TransformRows _,
                    LogicalPlan.TransformBatches _,
                    LogicalPlan.Project _,
                    LogicalPlan.Download _,
                    LogicalPlan.Union _,
                    LogicalPlan.Mix _,
                    LogicalPlan.Zip _,
                    LogicalPlan.Write _,
                    GroupPlan.MapGroups _,
                    GroupPlan.Pivot _,
                    LogicalPlan.Unpivot _,
                    GroupPlan.Distinct _,
                    LogicalPlan.TopRows _,
                    LogicalPlan.Windowed _,
                    ShufflePlan _ ->
                plan.inputs().stream().mapToDouble(LikelySize::countedRows).sum();
        };
    }

    private static double rowBytes(Schema schema) {
        double bytes = 0;
        for (Field field : schema.fields()) {
            bytes += bytes(field.type());
        }
        return Math.max(1, bytes);
    }

    private static int bytes(DataType type) {
        return switch (type) {
            case DataType.Null _ -> 0;
            case DataType.Bool _ -> 1;
            case DataType.Int integer -> integer.bits() / Byte.SIZE;
            case DataType.Float real -> real.bits() / Byte.SIZE;
            case DataType.Decimal _ -> 2 * WORD_BYTES;
            case DataType.Date _, DataType.Dictionary _ -> WORD_BYTES / 2;
            case DataType.Time _, DataType.Timestamp _, DataType.Duration _ -> WORD_BYTES;
            case DataType.Utf8 _, DataType.Binary _ -> TEXT_BYTES;
            case DataType.ListOf _,
                    DataType.MapOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.Tensor _,
                    DataType.VariableTensor _ -> NESTED_BYTES;
        };
    }
}
