package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.type.Schema;
import java.util.List;

/// Replaces numbers by the number of their bin, from 0, as int64. The bins lie between edges that are given; missing
/// values, and values in none of the bins, become null. There is nothing to learn.
///
/// @param edges in ascending order, one more than there are bins
/// @param right whether a bin contains its upper edge and not its lower one
public record CustomKBinsDiscretizer(List<String> columns, List<String> outputs, List<Double> edges, boolean right)
        implements ColumnPreprocessor {
    private static final String NAME = "CustomKBinsDiscretizer";

    public CustomKBinsDiscretizer {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
        edges = List.copyOf(edges);
        if (edges.size() < 2) {
            throw MillraceException.user(NAME + ": a bin needs two edges, not " + edges.size() + ".");
        }
        for (int i = 1; i < edges.size(); i++) {
            if (!(edges.get(i - 1) < edges.get(i))) {
                throw MillraceException.user(
                        NAME + ": the edges must ascend, but " + edges.get(i) + " follows " + edges.get(i - 1) + ".");
            }
        }
    }

    /// Bins between these edges, each with its upper edge, for all of these columns.
    public static CustomKBinsDiscretizer of(List<Double> edges, String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new CustomKBinsDiscretizer(all, all, edges, true);
    }

    /// Bins that contain their lower edge and not their upper one.
    public CustomKBinsDiscretizer leftClosed() {
        return new CustomKBinsDiscretizer(columns, outputs, edges, false);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public CustomKBinsDiscretizer into(String... names) {
        return new CustomKBinsDiscretizer(columns, PreprocessorChecks.outputs(NAME, columns, names), edges, right);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireNumbers(NAME, schema, columns);
        return List.of();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ColumnSteps.each(columns, outputs, (column, output) -> new Step.Bin(column, output, edges, right));
    }
}
