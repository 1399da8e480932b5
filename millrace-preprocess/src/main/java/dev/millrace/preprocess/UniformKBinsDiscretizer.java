package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Replaces numbers by the number of their bin, from 0, as int64; the bins are of equal width between the least and the
/// greatest value that was learnt. A bin contains its upper edge, the first one the least value too. Missing values,
/// and values outside the range that was learnt, become null.
///
/// @param bins how many bins there are
public record UniformKBinsDiscretizer(List<String> columns, List<String> outputs, int bins)
        implements ColumnPreprocessor {
    private static final String NAME = "UniformKBinsDiscretizer";
    /// By how much of the range the lowest edge is below the least value, so that this is in the first bin.
    private static final double MARGIN = 0.001;

    public UniformKBinsDiscretizer {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
        if (bins < 1) {
            throw MillraceException.user(NAME + ": there must be 1 bin or more, not " + bins + ".");
        }
    }

    /// Divides the range of each of these columns into bins.
    public static UniformKBinsDiscretizer of(int bins, String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new UniformKBinsDiscretizer(all, all, bins);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public UniformKBinsDiscretizer into(String... names) {
        return new UniformKBinsDiscretizer(columns, PreprocessorChecks.outputs(NAME, columns, names), bins);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireNumbers(NAME, schema, columns);
        return ScalerSteps.ranges(columns);
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ColumnSteps.each(columns, outputs, (column, output) -> {
            double[] range = ScalerSteps.range(statistics, column);
            if (range == null) {
                throw PreprocessorChecks.nothingToLearn(NAME, column);
            }
            return new Step.Bin(column, output, edges(column, range[0], range[1]), true);
        });
    }

    private List<Double> edges(String column, double low, double high) {
        if (Double.isInfinite(low) || Double.isInfinite(high)) {
            throw MillraceException.data(NAME + ": the column '" + column + "' has values from " + low + " to " + high
                    + ", a range that cannot be divided.");
        }
        double first = low;
        double last = high;
        if (first == last) {
            // The width of the only value's surroundings, as numpy and pandas choose it.
            double around = first == 0 ? MARGIN : MARGIN * Math.abs(first);
            first -= around;
            last += around;
        }
        List<Double> edges = new ArrayList<>();
        for (int i = 0; i <= bins; i++) {
            edges.add(i == bins ? last : first + (last - first) * i / bins);
        }
        if (low != high) {
            edges.set(0, first - (last - first) * MARGIN);
        }
        return edges;
    }
}
