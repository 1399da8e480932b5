package dev.millrace.preprocess;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.List;

/// Values as indices into a dictionary of the categories; null for other values.
record CategorizeFunction(Categories categories) implements ColumnFunction {
    @Override
    public String text(List<String> arguments) {
        return "categorize(" + arguments.getFirst() + ", " + categories + ")";
    }

    @Override
    public DataType.Dictionary type(List<DataType> arguments) {
        categories.requireType("categorize", arguments.getFirst());
        return DataType.dictionary(categories.type());
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        int[] found = categories.find("categorize", arguments.getFirst());
        try (ResourceScope scope = new ResourceScope()) {
            Buffer validity = scope.add(allocator.allocateZeroed(Math.max(1, (found.length + 7) / 8)));
            Buffer data = scope.add(allocator.allocateZeroed(Math.max(1, (long) found.length * Integer.BYTES)));
            for (int row = 0; row < found.length; row++) {
                if (found[row] >= 0) {
                    Bits.set(validity.segment(), row, true);
                    data.segment().setAtIndex(JAVA_INT, row, found[row]);
                }
            }
            Column words = Columns.of(allocator, categories.type(), categories.values());
            return scope.keep(new DictionaryColumn(
                    DataType.dictionary(categories.type()),
                    new IntColumn(DataType.INT32, found.length, data, validity, 0, Column.UNKNOWN_NULLS),
                    words));
        }
    }
}
