package dev.millrace.preprocess;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.FixedListColumn;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.List;

/// A list with one uint8 for each category: 1 at the value's number and 0 elsewhere; all 0 if the value has no number.
record OneHotFunction(Categories categories) implements ColumnFunction {
    @Override
    public String text(List<String> arguments) {
        return "oneHot(" + arguments.getFirst() + ", " + categories + ")";
    }

    @Override
    public DataType.FixedList type(List<DataType> arguments) {
        categories.requireType("oneHot", arguments.getFirst());
        return DataType.fixedList(DataType.UINT8, categories.size());
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        Column column = arguments.getFirst();
        int[] found = categories.find("oneHot", column);
        int width = categories.size();
        Buffer data = allocator.allocateZeroed(Math.max(1, column.length() * width));
        for (int row = 0; row < found.length; row++) {
            if (found[row] >= 0) {
                data.segment().set(JAVA_BYTE, (long) row * width + found[row], (byte) 1);
            }
        }
        Column elements = new ByteColumn(DataType.UINT8, column.length() * width, data, null, 0, 0);
        return new FixedListColumn(DataType.fixedList(DataType.UINT8, width), column.length(), elements, null, 0, 0);
    }
}
