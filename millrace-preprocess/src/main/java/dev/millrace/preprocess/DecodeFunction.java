package dev.millrace.preprocess;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.LongColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.List;

/// The value of a number that [EncodeFunction] returned; null for null and for numbers that it cannot have returned.
record DecodeFunction(Categories categories) implements ColumnFunction {
    @Override
    public String text(List<String> arguments) {
        return "decode(" + arguments.getFirst() + ", " + categories + ")";
    }

    @Override
    public DataType type(List<DataType> arguments) {
        if (!arguments.getFirst().equals(DataType.INT64)) {
            throw MillraceException.user(
                    "decode: int64 numbers of categories are needed, but the column is " + arguments.getFirst() + ".");
        }
        return categories.type();
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        LongColumn numbers = (LongColumn) arguments.getFirst();
        int[] positions = new int[Math.toIntExact(numbers.length())];
        for (int row = 0; row < positions.length; row++) {
            boolean known = !numbers.isNull(row) && numbers.get(row) >= 0 && numbers.get(row) < categories.size();
            positions[row] = known ? (int) numbers.get(row) : -1;
        }
        Column values = Columns.of(allocator, categories.type(), categories.values());
        try {
            return GatherKernel.takeOrNull(allocator, values, positions, positions.length);
        } finally {
            values.release();
        }
    }
}
