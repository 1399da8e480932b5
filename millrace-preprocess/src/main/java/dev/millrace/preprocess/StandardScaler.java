package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.stream.Stream;

/// Scales columns to a mean of 0 and a (population) standard deviation of 1, as float64. A column with a single
/// distinct value becomes 0, a column without values stays without.
public record StandardScaler(List<String> columns, List<String> outputs) implements ColumnPreprocessor {
    private static final String NAME = "StandardScaler";

    public StandardScaler {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
    }

    /// Subtracts the mean from columns and divides them by their standard deviation.
    public static StandardScaler of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new StandardScaler(all, all);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public StandardScaler into(String... names) {
        return new StandardScaler(columns, PreprocessorChecks.outputs(NAME, columns, names));
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireNumbers(NAME, schema, columns);
        return columns.stream()
                .flatMap(column -> Stream.of(Aggregates.mean(column), Aggregates.std(column, 0)))
                .toList();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ScalerSteps.steps(columns, outputs, column -> {
            Double mean = ScalerSteps.number(statistics.get("mean(" + column + ")"));
            Double deviation = ScalerSteps.number(statistics.get("std(" + column + ")"));
            return mean == null || deviation == null ? null : new double[] {mean, ScalerSteps.orOne(deviation)};
        });
    }
}
