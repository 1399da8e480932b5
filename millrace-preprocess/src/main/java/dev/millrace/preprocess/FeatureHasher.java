package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Hashes many numeric columns, such as token counts, into one vector of a chosen width: the hash of a column's name
/// (SHA-256, as in Ray Data) is the index to which its number is added. Missing numbers make their element NaN. The
/// input columns are kept.
///
/// @param features the width of the vector
public record FeatureHasher(List<String> columns, int features, String output) implements ColumnPreprocessor {
    private static final String NAME = "FeatureHasher";

    public FeatureHasher {
        columns = List.copyOf(columns);
        if (features < 1) {
            throw MillraceException.user(NAME + ": the vector needs 1 element or more, not " + features + ".");
        }
    }

    /// Adds the numbers of columns into a vector of this width.
    public static FeatureHasher of(int features, String output, String... columns) {
        return new FeatureHasher(PreprocessorChecks.columns(NAME, columns), features, output);
    }

    @Override
    public List<String> outputs() {
        return List.of(output);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireNumbers(NAME, schema, columns);
        return List.of();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        List<Integer> places = columns.stream().map(this::place).toList();
        return List.of(new Step.Combine(columns, output, DataType.FLOAT64, places, features, false));
    }

    private int place(String column) {
        byte[] hash = HashCountFunction.sha256().digest(column.getBytes(StandardCharsets.UTF_8));
        return HashCountFunction.place(hash, features);
    }
}
