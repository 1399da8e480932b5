package dev.millrace.preprocess;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.batch.Row;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.List;

/// Concatenates columns into one vector, a tensor for a model: numbers and booleans, and lists and tensors of one size
/// with all their elements, in the given order. The input columns are dropped. Missing numbers are NaN.
///
/// @param element float64, or float32 by [#asFloats]
public record Concatenator(List<String> columns, String output, DataType element) implements ColumnPreprocessor {
    private static final String NAME = "Concatenator";

    public Concatenator {
        columns = List.copyOf(columns);
    }

    /// Concatenates columns into the column `concat_out`.
    public static Concatenator of(String... columns) {
        return new Concatenator(PreprocessorChecks.columns(NAME, columns), "concat_out", DataType.FLOAT64);
    }

    /// The name of the output column.
    public Concatenator into(String name) {
        return new Concatenator(columns, name, element);
    }

    /// With float32 elements.
    public Concatenator asFloats() {
        return new Concatenator(columns, output, DataType.FLOAT32);
    }

    @Override
    public List<String> outputs() {
        return List.of(output);
    }

    @Override
    public List<Aggregate> statistics(Schema schema) {
        List<DataType> types = columns.stream()
                .map(column -> PreprocessorChecks.typeOf(NAME, schema, column))
                .toList();
        new CombineFunction(element, List.of(), 0).type(types);
        return List.of();
    }

    @Override
    public List<Step> steps(Schema schema, Row statistics) {
        return List.of(new Step.Combine(columns, output, element, List.of(), 0, true));
    }
}
