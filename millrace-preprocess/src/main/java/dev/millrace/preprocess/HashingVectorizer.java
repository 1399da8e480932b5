package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.type.Schema;
import java.util.List;

/// Counts of tokens in texts by hash: a list of `features` int64, where each token counts at the index that is its hash
/// (SHA-256, as in Ray Data) modulo the width. Texts are split as by [CountVectorizer]. There is nothing to learn; a
/// missing text has only zeros.
///
/// @param features the width of the lists
public record HashingVectorizer(List<String> columns, List<String> outputs, int features)
        implements ColumnPreprocessor {
    private static final String NAME = "HashingVectorizer";

    public HashingVectorizer {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
        if (features < 1) {
            throw MillraceException.user(NAME + ": the list needs 1 element or more, not " + features + ".");
        }
    }

    /// Replaces the texts of columns by lists of this width.
    public static HashingVectorizer of(int features, String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new HashingVectorizer(all, all, features);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public HashingVectorizer into(String... names) {
        return new HashingVectorizer(columns, PreprocessorChecks.outputs(NAME, columns, names), features);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireTexts(NAME, schema, columns);
        return List.of();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ColumnSteps.each(
                columns,
                outputs,
                (column, output) -> new Step.HashCount(column, output, CountVectorizer.SEPARATOR, features));
    }
}
