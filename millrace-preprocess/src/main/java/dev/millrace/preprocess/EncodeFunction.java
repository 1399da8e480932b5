package dev.millrace.preprocess;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Bits;
import dev.millrace.column.Column;
import dev.millrace.column.LongColumn;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.util.List;

/// The number of a value, as int64; null if it has none.
record EncodeFunction(Categories categories) implements ColumnFunction {
    @Override
    public String text(List<String> arguments) {
        return "encode(" + arguments.getFirst() + ", " + categories + ")";
    }

    @Override
    public DataType type(List<DataType> arguments) {
        categories.requireType("encode", arguments.getFirst());
        return DataType.INT64;
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        int[] found = categories.find("encode", arguments.getFirst());
        Buffer validity = allocator.allocateZeroed(Math.max(1, (found.length + 7) / 8));
        try {
            Buffer data = allocator.allocateZeroed(Math.max(1, (long) found.length * Long.BYTES));
            for (int row = 0; row < found.length; row++) {
                if (found[row] >= 0) {
                    Bits.set(validity.segment(), row, true);
                    data.segment().setAtIndex(JAVA_LONG, row, found[row]);
                }
            }
            return new LongColumn(DataType.INT64, found.length, data, validity.retain(), 0, Column.UNKNOWN_NULLS);
        } finally {
            validity.release();
        }
    }
}
