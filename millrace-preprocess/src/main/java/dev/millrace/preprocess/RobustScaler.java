package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.stream.Stream;

/// Columns with a median of 0, divided by the distance of two quantiles, so that a few values far out do not matter; as
/// float64. Where the quantiles are the same, all values become 0.
///
/// @param low the lower quantile, 0.25 unless said otherwise
/// @param high the upper quantile, 0.75 unless said otherwise
/// @param exact whether all values are kept in memory for exact quantiles, where otherwise a sketch is enough, see
///     [Aggregates#approximateQuantile]
public record RobustScaler(List<String> columns, List<String> outputs, double low, double high, boolean exact)
        implements ColumnPreprocessor {
    private static final String NAME = "RobustScaler";

    public RobustScaler {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
        if (!(low >= 0 && low < high && high <= 1)) {
            throw MillraceException.user(NAME + ": the quantiles must be between 0 and 1, the lower one first, not "
                    + low + " and " + high + ".");
        }
    }

    /// Takes the median off columns and divides them by the distance of their quartiles.
    public static RobustScaler of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new RobustScaler(all, all, 0.25, 0.75, false);
    }

    /// Makes new columns and leaves the old ones as they are.
    public RobustScaler into(String... names) {
        return new RobustScaler(columns, PreprocessorChecks.outputs(NAME, columns, names), low, high, exact);
    }

    /// Other quantiles than the quartiles.
    public RobustScaler quantiles(double lower, double upper) {
        return new RobustScaler(columns, outputs, lower, upper, exact);
    }

    /// With exact quantiles, between values the part of the way; a column must fit into memory.
    public RobustScaler exactly() {
        return new RobustScaler(columns, outputs, low, high, true);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireNumbers(NAME, schema, columns);
        return columns.stream()
                .flatMap(column -> exact
                        ? Stream.of(
                                Aggregates.quantile(column, low).as("low(" + column + ")"),
                                Aggregates.quantile(column, 0.5).as("median(" + column + ")"),
                                Aggregates.quantile(column, high).as("high(" + column + ")"))
                        : Stream.of(Aggregates.approximateQuantiles(column, low, 0.5, high)))
                .toList();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ScalerSteps.steps(columns, outputs, column -> {
            List<?> quantiles = exact
                    ? Stream.of("low(", "median(", "high(")
                            .map(which -> statistics.get(which + column + ")"))
                            .toList()
                    : (List<?>) statistics.get("approximateQuantiles(" + column + ")");
            if (quantiles == null || quantiles.getFirst() == null) {
                return null;
            }
            double distance = (Double) quantiles.get(2) - (Double) quantiles.get(0);
            return new double[] {(Double) quantiles.get(1), distance};
        });
    }
}
