package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.aggregate.CategoryTable;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;

/// Multi-hot encoding of columns of lists: a list with one int64 for each learnt element, in their order: how often the
/// list has it. Elements that were not learnt are left out; a missing list has only zeros.
///
/// @param most how many of the most frequent elements are learnt
public record MultiHotEncoder(List<String> columns, List<String> outputs, int most) implements ColumnPreprocessor {
    private static final String NAME = "MultiHotEncoder";

    public MultiHotEncoder {
        columns = List.copyOf(columns);
        outputs = List.copyOf(outputs);
        if (most < 1) {
            throw MillraceException.user(NAME + ": a column needs 1 category or more, not " + most + ".");
        }
    }

    /// Replaces the lists of columns by the counts of their elements.
    public static MultiHotEncoder of(String... columns) {
        List<String> all = PreprocessorChecks.columns(NAME, columns);
        return new MultiHotEncoder(all, all, Integer.MAX_VALUE);
    }

    /// Learns only the most frequent elements of each column.
    public MultiHotEncoder mostCategories(int count) {
        return new MultiHotEncoder(columns, outputs, count);
    }

    /// Writes to new columns and keeps the input columns unchanged.
    public MultiHotEncoder into(String... names) {
        return new MultiHotEncoder(columns, PreprocessorChecks.outputs(NAME, columns, names), most);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        return columns.stream()
                .map(column -> Aggregates.define("elements", column, new ElementCounts(element(schema, column), "")))
                .toList();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return ColumnSteps.each(columns, outputs, (column, output) -> {
            Object counts = statistics.get("elements(" + column + ")");
            Categories elements =
                    CategoryLearning.some(NAME, column, element(schema, column), counts, most, false, true);
            return new Step.Count(column, output, "", elements);
        });
    }

    private static DataType element(Schema schema, String column) {
        DataType type = PreprocessorChecks.typeOf(NAME, schema, column);
        DataType element = type instanceof DataType.ListOf list ? list.element() : DataType.NULL;
        if (!CategoryTable.isFor(element)) {
            throw MillraceException.user(NAME + ": the column '" + column + "' is " + type
                    + ", but lists of booleans, numbers, texts or dates are needed.");
        }
        return element;
    }
}
