package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One-hot encoding: a list with one number for each learnt value, in their order: 1 for the value itself and 0 for the
/// others, as uint8. An unknown value has only zeros, or is an error by [#errorOnUnknown]; missing values are errors,
/// or have only zeros by [#allowMissing].
///
/// @param most for some columns, how many of the most frequent values are learnt
public record OneHotEncoder(
        List<String> columns,
        List<String> outputs,
        Map<String, Integer> most,
        boolean failOnUnknown,
        boolean missingAllowed)
        implements ColumnPreprocessor {
    private static final String NAME = "OneHotEncoder";

    public OneHotEncoder {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
        most = Map.copyOf(most);
    }

    /// Replaces the values of columns by lists with a 1 at the index of the value.
    public static OneHotEncoder of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new OneHotEncoder(all, all, Map.of(), false, false);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public OneHotEncoder into(String... names) {
        return new OneHotEncoder(
                columns, PreprocessorChecks.outputs(NAME, columns, names), most, failOnUnknown, missingAllowed);
    }

    /// Learns only the most frequent values of this column.
    public OneHotEncoder mostCategories(String column, int count) {
        if (!columns.contains(column)) {
            throw MillraceException.user(
                    NAME + ": '" + column + "' is none of the columns to encode, which are " + columns + ".");
        }
        if (count < 1) {
            throw MillraceException.user(NAME + ": a column needs 1 category or more, not " + count + ".");
        }
        Map<String, Integer> more = new TreeMap<>(most);
        more.put(column, count);
        return new OneHotEncoder(columns, outputs, more, failOnUnknown, missingAllowed);
    }

    /// Makes a value that was not learnt an error.
    public OneHotEncoder errorOnUnknown() {
        return new OneHotEncoder(columns, outputs, most, true, missingAllowed);
    }

    /// Allows missing values, which are not categories and have only zeros.
    public OneHotEncoder allowMissing() {
        return new OneHotEncoder(columns, outputs, most, failOnUnknown, true);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        PreprocessorChecks.requireCategories(NAME, schema, columns);
        return columns.stream().map(Aggregates::valueCounts).toList();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ColumnSteps.each(columns, outputs, (column, output) -> {
            DataType type = PreprocessorChecks.typeOf(NAME, schema, column);
            Object counts = statistics.get("valueCounts(" + column + ")");
            int kept = most.getOrDefault(column, Integer.MAX_VALUE);
            Categories categories =
                    CategoryLearning.some(NAME, column, type, counts, kept, failOnUnknown, missingAllowed);
            return new Step.OneHot(column, output, categories);
        });
    }
}
