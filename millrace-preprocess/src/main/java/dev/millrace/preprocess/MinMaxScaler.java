package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.stream.Stream;

/// Columns with values from 0, the least, to 1, the greatest, as float64. A column of one value becomes 0, a column
/// without values stays without. Values beyond those that were learnt from lie beyond 0 and 1.
public record MinMaxScaler(List<String> columns, List<String> outputs) implements ColumnPreprocessor {
    private static final String NAME = "MinMaxScaler";

    public MinMaxScaler {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
    }

    /// Brings columns to the range from 0 to 1.
    public static MinMaxScaler of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new MinMaxScaler(all, all);
    }

    /// Makes new columns and leaves the old ones as they are.
    public MinMaxScaler into(String... names) {
        return new MinMaxScaler(columns, PreprocessorChecks.outputs(NAME, columns, names));
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireNumbers(NAME, schema, columns);
        return columns.stream()
                .flatMap(column -> Stream.of(Aggregates.min(column), Aggregates.max(column)))
                .toList();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ScalerSteps.steps(columns, outputs, column -> {
            Double least = ScalerSteps.number(statistics.get("min(" + column + ")"));
            Double greatest = ScalerSteps.number(statistics.get("max(" + column + ")"));
            return least == null || greatest == null ? null : new double[] {least, ScalerSteps.orOne(greatest - least)};
        });
    }
}
