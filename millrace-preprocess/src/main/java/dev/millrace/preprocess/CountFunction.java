package dev.millrace.preprocess;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// How often each category is in a list: a fixed list of int64. Other elements are left out; a missing list has only
/// zeros.
record CountFunction(Categories categories) implements ColumnFunction {
    @Override
    public String text(List<String> arguments) {
        return "count(" + arguments.getFirst() + ", " + categories + ")";
    }

    @Override
    public DataType.FixedList type(List<DataType> arguments) {
        if (!(arguments.getFirst() instanceof DataType.ListOf list)) {
            throw MillraceException.user("count: lists are needed, but a column is " + arguments.getFirst() + ".");
        }
        categories.requireType("count", list.element());
        return DataType.fixedList(DataType.INT64, categories.size());
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        ListColumn lists = (ListColumn) arguments.getFirst();
        int[] found = categories.find("count", lists.elements());
        return counted(lists, found, categories.size(), allocator);
    }

    /// @param places the index of each element in the result, negative for none
    static Column counted(ListColumn lists, int[] places, int width, Allocator allocator) {
        long rows = lists.length();
        Buffer data = allocator.allocateZeroed(Math.max(1, rows * width * Long.BYTES));
        MemorySegment counts = data.segment();
        for (long row = 0; row < rows; row++) {
            if (lists.isNull(row)) {
                continue;
            }
            for (long i = lists.start(row); i < lists.end(row); i++) {
                int place = places[(int) i];
                if (place >= 0) {
                    long at = row * width + place;
                    counts.setAtIndex(JAVA_LONG, at, counts.getAtIndex(JAVA_LONG, at) + 1);
                }
            }
        }
        Column elements = new LongColumn(DataType.INT64, rows * width, data, null, 0, 0);
        return new FixedListColumn(DataType.fixedList(DataType.INT64, width), rows, elements, null, 0, 0);
    }
}
