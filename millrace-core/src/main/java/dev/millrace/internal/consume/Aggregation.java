package dev.millrace.internal.consume;

import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.transform.BatchOperation;
import dev.millrace.internal.transform.Projections;
import dev.millrace.type.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// One value of one column: each task folds its batches into a row ([PartialAggregate]), and the consumer folds those.
public final class Aggregation {
    public enum Kind {
        SUM,
        MIN,
        MAX,
        MEAN;

        String verb() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private Aggregation() {}

    /// @param start runs a plan
    public static Object run(Kind kind, LogicalPlan plan, String column, Function<LogicalPlan, Execution> start) {
        plan.schema().ifPresent(schema -> {
            int position = schema.require(column, kind.verb());
            requireType(kind, column, schema.field(position).type());
        });
        LogicalPlan narrow = plan.schema()
                .<LogicalPlan>map(schema -> {
                    var select = Projections.keep(List.of(column));
                    return new LogicalPlan.Project(plan, select, Optional.of(Projections.schemaOf(select, schema)));
                })
                .orElse(plan);
        LogicalPlan partial = new LogicalPlan.TransformBatches(
                narrow,
                kind.verb() + "(" + column + ")",
                new BatchOperation.Function(new PartialAggregate(kind, column)),
                Compute.defaults());
        List<Row> parts = new ArrayList<>();
        for (Row part : Taking.rows(start.apply(partial))) {
            if (!part.isNull(PartialAggregate.COUNT) && part.getLong(PartialAggregate.COUNT) > 0) {
                parts.add(part);
            }
        }
        if (parts.isEmpty()) {
            return null;
        }
        return switch (kind) {
            case SUM -> sum(column, parts);
            case MEAN -> mean(parts);
            case MIN, MAX -> extreme(kind, parts);
        };
    }

    static void requireType(Kind kind, String column, DataType type) {
        DataType plain = type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
        boolean fits = switch (plain) {
            case DataType.Null _, DataType.Int _, DataType.Float _, DataType.Decimal _ -> true;
            case DataType.Bool _,
                    DataType.Date _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _,
                    DataType.Utf8 _,
                    DataType.Binary _ -> kind == Kind.MIN || kind == Kind.MAX;
            case DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _,
                    DataType.Dictionary _,
                    DataType.Tensor _,
                    DataType.VariableTensor _ -> false;
        };
        if (!fits) {
            boolean ordered = kind == Kind.MIN || kind == Kind.MAX;
            throw MillraceException.user(kind.verb() + " needs a column of "
                    + (ordered ? "values with an order" : "numbers") + ", but '" + column + "' is " + type + ".");
        }
    }

    private static Number sum(String column, List<Row> parts) {
        if (parts.stream().anyMatch(part -> part.has(PartialAggregate.REAL))) {
            return parts.stream().mapToDouble(Aggregation::real).sum();
        }
        if (parts.getFirst().has(PartialAggregate.EXACT)) {
            return parts.stream().map(Aggregation::exact).reduce(BigDecimal.ZERO, BigDecimal::add);
        }
        return integer(column, parts.stream().map(Aggregation::whole).reduce(BigInteger.ZERO, BigInteger::add));
    }

    private static Long integer(String column, BigInteger sum) {
        if (sum.bitLength() > 63) {
            throw MillraceException.data("The sum of column '" + column + "' is " + sum
                    + ", more than an int64 holds. Cast the column to float64 or a decimal first.");
        }
        return sum.longValue();
    }

    private static Double mean(List<Row> parts) {
        long count = parts.stream()
                .mapToLong(part -> part.getLong(PartialAggregate.COUNT))
                .sum();
        if (parts.stream().anyMatch(part -> part.has(PartialAggregate.REAL))) {
            return parts.stream().mapToDouble(Aggregation::real).sum() / count;
        }
        BigDecimal sum = parts.stream()
                .map(part -> part.has(PartialAggregate.EXACT) ? exact(part) : new BigDecimal(whole(part)))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return sum.doubleValue() / count;
    }

    private static Object extreme(Kind kind, List<Row> parts) {
        Object best = null;
        for (Row part : parts) {
            Object value = part.get(PartialAggregate.VALUE);
            int order = best == null ? 1 : ValueOrder.compare(value, best) * (kind == Kind.MAX ? 1 : -1);
            best = order > 0 ? value : best;
        }
        return best;
    }

    private static double real(Row part) {
        return part.getDouble(PartialAggregate.REAL);
    }

    private static BigDecimal exact(Row part) {
        return part.getDecimal(PartialAggregate.EXACT);
    }

    /// The sum of integers, carried as the sums of their upper and lower halves.
    private static BigInteger whole(Row part) {
        return BigInteger.valueOf(part.getLong(PartialAggregate.HIGH))
                .shiftLeft(32)
                .add(BigInteger.valueOf(part.getLong(PartialAggregate.LOW)));
    }
}
