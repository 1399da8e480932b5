package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.type.Schema;
import java.util.List;

/// Makes the values of columns more like a normal distribution by a power that is given, as float64: by the formula of
/// Yeo and Johnson, or by that of Box and Cox, which is for positive numbers: others become NaN, and 0 perhaps
/// infinite. Missing values stay missing. There is nothing to learn.
public record PowerTransformer(List<String> columns, List<String> outputs, Method method, double power)
        implements ColumnPreprocessor {
    private static final String NAME = "PowerTransformer";

    /// The formulas.
    public enum Method {
        YEO_JOHNSON,
        BOX_COX
    }

    public PowerTransformer {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
    }

    /// Transforms columns by the formula of Yeo and Johnson.
    public static PowerTransformer of(double power, String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new PowerTransformer(all, all, Method.YEO_JOHNSON, power);
    }

    /// Uses the formula of Box and Cox.
    public PowerTransformer boxCox() {
        return new PowerTransformer(columns, outputs, Method.BOX_COX, power);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public PowerTransformer into(String... names) {
        return new PowerTransformer(columns, PreprocessorChecks.outputs(NAME, columns, names), method, power);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireNumbers(NAME, schema, columns);
        return List.of();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ColumnSteps.each(columns, outputs, (column, output) -> new Step.Power(column, output, method, power));
    }
}
