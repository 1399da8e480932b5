package dev.millrace.preprocess;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.List;

/// A number for each category, as float64.
///
/// @param numbers of the categories, in their order
/// @param otherwise the number of all other values, and of missing ones
record ReplaceFunction(Categories categories, List<Double> numbers, double otherwise) implements ColumnFunction {
    ReplaceFunction {
        numbers = List.copyOf(numbers);
    }

    @Override
    public String text(List<String> arguments) {
        return "replace(" + arguments.getFirst() + ", " + categories + ")";
    }

    @Override
    public DataType type(List<DataType> arguments) {
        categories.requireType("replace", arguments.getFirst());
        return DataType.FLOAT64;
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        int[] found = categories.find("replace", arguments.getFirst());
        double[] table = numbers.stream().mapToDouble(Double::doubleValue).toArray();
        Buffer data = allocator.allocate(Math.max(1, (long) found.length * Double.BYTES));
        for (int row = 0; row < found.length; row++) {
            data.segment().setAtIndex(JAVA_DOUBLE, row, found[row] < 0 ? otherwise : table[found[row]]);
        }
        return new DoubleColumn(DataType.FLOAT64, found.length, data, null, 0, 0);
    }
}
