package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;

/// Replaces values by their index, from 0, in the sorted order of all values learnt: texts, numbers, booleans or dates
/// become int64. An unknown value becomes null, or is an error by [#errorOnUnknown]; missing values are errors, or stay
/// missing by [#allowMissing].
public record OrdinalEncoder(List<String> columns, List<String> outputs, boolean failOnUnknown, boolean missingAllowed)
        implements ColumnPreprocessor {
    private static final String NAME = "OrdinalEncoder";

    public OrdinalEncoder {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
    }

    /// Replaces the values of columns by their index among the sorted values.
    public static OrdinalEncoder of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new OrdinalEncoder(all, all, false, false);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public OrdinalEncoder into(String... names) {
        return new OrdinalEncoder(
                columns, PreprocessorChecks.outputs(NAME, columns, names), failOnUnknown, missingAllowed);
    }

    /// Makes a value that was not learnt an error.
    public OrdinalEncoder errorOnUnknown() {
        return new OrdinalEncoder(columns, outputs, true, missingAllowed);
    }

    /// Allows missing values, which are not categories and stay missing.
    public OrdinalEncoder allowMissing() {
        return new OrdinalEncoder(columns, outputs, failOnUnknown, true);
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
            Categories categories = CategoryLearning.categories(
                    NAME, column, type, counts, Integer.MAX_VALUE, failOnUnknown, missingAllowed);
            return new Step.Encode(column, output, categories);
        });
    }
}
