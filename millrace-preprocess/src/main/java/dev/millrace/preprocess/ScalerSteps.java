package dev.millrace.preprocess;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Helpers shared by scalers.
final class ScalerSteps {
    /// A column with a deviation below this counts as constant.
    private static final double NOTHING = 1e-8;

    private ScalerSteps() {}

    /// @param learnt center and scale of a column; null if it has no values
    public static List<Step> steps(
            List<String> columns, List<String> outputs, Function<String, double @Nullable []> learnt) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            double[] known = learnt.apply(columns.get(i));
            steps.add(new Step.Scale(
                    columns.get(i), outputs.get(i), known == null ? 0 : known[0], known == null ? null : known[1]));
        }
        return steps;
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
