package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;

/// Stores columns as dictionaries of the learnt values, in their order. Values that were not learnt become missing.
public record Categorizer(List<String> columns, List<String> outputs) implements ColumnPreprocessor {
    private static final String NAME = "Categorizer";

    public Categorizer {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
    }

    /// Replaces columns by dictionaries.
    public static Categorizer of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new Categorizer(all, all);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public Categorizer into(String... names) {
        return new Categorizer(columns, PreprocessorChecks.outputs(NAME, columns, names));
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
            Categories categories = CategoryLearning.some(NAME, column, type, counts, Integer.MAX_VALUE, false, true);
            return new Step.Categorize(column, output, categories);
        });
    }
}
