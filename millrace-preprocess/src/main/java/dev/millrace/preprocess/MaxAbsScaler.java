package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.type.Schema;
import java.util.List;

/// Divides columns by their largest absolute value, so that values are between -1 and 1 and zeros stay zeros, as
/// float64.
public record MaxAbsScaler(List<String> columns, List<String> outputs) implements ColumnPreprocessor {
    private static final String NAME = "MaxAbsScaler";

    public MaxAbsScaler {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
    }

    /// Divides columns by their largest absolute value.
    public static MaxAbsScaler of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new MaxAbsScaler(all, all);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public MaxAbsScaler into(String... names) {
        return new MaxAbsScaler(columns, PreprocessorChecks.outputs(NAME, columns, names));
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireNumbers(NAME, schema, columns);
        return ScalerSteps.ranges(columns);
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ScalerSteps.steps(columns, outputs, column -> {
            double[] range = ScalerSteps.range(statistics, column);
            if (range == null) {
                return null;
            }
            double largest = Math.max(Math.abs(range[0]), Math.abs(range[1]));
            return new double[] {0, largest == 0 ? 1 : largest};
        });
    }
}
