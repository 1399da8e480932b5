package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.type.Schema;
import java.util.List;

/// Scales columns so that the minimum is 0 and the maximum is 1, as float64. A column with a single distinct value
/// becomes 0, a column without values stays without. Values outside the range that was learnt are below 0 or above 1.
public record MinMaxScaler(List<String> columns, List<String> outputs) implements ColumnPreprocessor {
    private static final String NAME = "MinMaxScaler";

    public MinMaxScaler {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
    }

    /// Scales columns to the range from 0 to 1.
    public static MinMaxScaler of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new MinMaxScaler(all, all);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public MinMaxScaler into(String... names) {
        return new MinMaxScaler(columns, PreprocessorChecks.outputs(NAME, columns, names));
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
            return range == null ? null : new double[] {range[0], ScalerSteps.orOne(range[1] - range[0])};
        });
    }
}
