package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.stream.Stream;

/// Scales columns so that the median is 0 and the distance between two quantiles is 1, which makes outliers matter
/// little; as float64. If the quantiles are equal, all values become 0.
///
/// @param low the lower quantile, 0.25 by default
/// @param high the upper quantile, 0.75 by default
/// @param exact true to keep all values in memory for exact quantiles, false to use a sketch, see
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

    /// Subtracts the median from columns and divides them by the distance between their quartiles.
    public static RobustScaler of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new RobustScaler(all, all, 0.25, 0.75, false);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public RobustScaler into(String... names) {
        return new RobustScaler(columns, PreprocessorChecks.outputs(NAME, columns, names), low, high, exact);
    }

    /// Uses other quantiles than the quartiles.
    public RobustScaler quantiles(double lower, double upper) {
        return new RobustScaler(columns, outputs, lower, upper, exact);
    }

    /// Uses exact quantiles, interpolated between values; a column must fit into memory.
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
