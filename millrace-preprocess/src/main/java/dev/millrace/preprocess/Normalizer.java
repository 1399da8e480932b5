package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Divides the numbers of each row in these columns by their norm, as float64, so that the row is a vector of length 1.
/// A row of zeros stays as it is; in a row with a missing number all of them become missing. There is nothing to learn.
public record Normalizer(List<String> columns, List<String> outputs, Norm norm) implements ColumnPreprocessor {
    private static final String NAME = "Normalizer";

    /// How the length of a vector is measured.
    public enum Norm {
        /// The sum of the magnitudes.
        L1,
        /// The square root of the sum of squares.
        L2,
        /// The greatest magnitude.
        MAX
    }

    public Normalizer {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
    }

    /// Divides by the square root of the sum of squares.
    public static Normalizer of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new Normalizer(all, all, Norm.L2);
    }

    /// Divides by another norm.
    public Normalizer by(Norm other) {
        return new Normalizer(columns, outputs, other);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public Normalizer into(String... names) {
        return new Normalizer(columns, PreprocessorChecks.outputs(NAME, columns, names), norm);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireNumbers(NAME, schema, columns);
        return List.of();
    }

    /// The norm gets a column of its own, since a column may be replaced before the next is divided.
    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        String divisor = "norm of " + String.join(", ", columns);
        List<Step> steps = new ArrayList<>();
        steps.add(new Step.Length(columns, divisor, norm));
        for (int i = 0; i < columns.size(); i++) {
            boolean last = i == columns.size() - 1;
            steps.add(new Step.Divide(columns.get(i), outputs.get(i), divisor, last));
        }
        return steps;
    }
}
