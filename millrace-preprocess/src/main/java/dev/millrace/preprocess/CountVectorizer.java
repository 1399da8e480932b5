package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;

/// Counts of tokens in texts: a list with one int64 for each learnt token, in the order of the tokens. Texts are split
/// at single blanks, so that two of them in a row have an empty token between them; split them differently by an
/// expression and use [MultiHotEncoder], which does the same for lists. Tokens that were not learnt are left out; a
/// missing text has only zeros.
///
/// @param most how many of the most frequent tokens are learnt
public record CountVectorizer(List<String> columns, List<String> outputs, int most) implements ColumnPreprocessor {
    private static final String NAME = "CountVectorizer";
    static final String SEPARATOR = " ";

    public CountVectorizer {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
        if (most < 1) {
            throw MillraceException.user(NAME + ": a column needs 1 token or more, not " + most + ".");
        }
    }

    /// Replaces the texts of columns by the counts of their tokens.
    public static CountVectorizer of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new CountVectorizer(all, all, Integer.MAX_VALUE);
    }

    /// Learns only the most frequent tokens of each column.
    public CountVectorizer mostFeatures(int count) {
        return new CountVectorizer(columns, outputs, count);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public CountVectorizer into(String... names) {
        return new CountVectorizer(columns, PreprocessorChecks.outputs(NAME, columns, names), most);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireTexts(NAME, schema, columns);
        return columns.stream()
                .map(column -> Aggregates.define("tokens", column, new ElementCounts(DataType.UTF8, SEPARATOR)))
                .toList();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ColumnSteps.each(columns, outputs, (column, output) -> {
            Object counts = statistics.get("tokens(" + column + ")");
            Categories tokens = CategoryLearning.some(NAME, column, DataType.UTF8, counts, most, false, true);
            return new Step.Count(column, output, SEPARATOR, tokens);
        });
    }
}
