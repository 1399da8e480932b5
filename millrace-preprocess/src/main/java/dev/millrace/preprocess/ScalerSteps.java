package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Helpers shared by scalers.
final class ScalerSteps {
    /// A column with a deviation below this counts as constant.
    private static final double NOTHING = 1e-8;

    private ScalerSteps() {}

    /// @param learnt center and scale of a column; null if it has no values
    public static List<Step> steps(
            List<String> columns, List<String> outputs, Function<String, double @Nullable []> learnt) {
        return ColumnSteps.each(columns, outputs, (column, output) -> {
            double[] known = learnt.apply(column);
            return new Step.Scale(column, output, known == null ? 0 : known[0], known == null ? null : known[1]);
        });
    }

    /// The least and the greatest value of each column, of which [#range] reads the results.
    static List<Aggregate> ranges(List<String> columns) {
        return columns.stream()
                .flatMap(column -> Stream.of(Aggregates.min(column), Aggregates.max(column)))
                .toList();
    }

    /// The least and the greatest value of a column; null if it has no values.
    static double @Nullable [] range(Row statistics, String column) {
        Double least = number(statistics.get("min(" + column + ")"));
        Double greatest = number(statistics.get("max(" + column + ")"));
        return least == null || greatest == null ? null : new double[] {least, greatest};
    }

    /// A statistic of any numeric type.
    public static @Nullable Double number(@Nullable Object value) {
        return value == null ? null : ((Number) value).doubleValue();
    }

    /// The scale, or 1 if it is that of a constant column.
    public static double orOne(double scale) {
        return scale < NOTHING ? 1 : scale;
    }
}
