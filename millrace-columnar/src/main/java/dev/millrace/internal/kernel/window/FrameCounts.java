package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.LongColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;

/// The number of rows of each frame.
///
/// @param before this many additional rows belong to every frame
record FrameCounts(Allocator allocator, WindowFrames frames, long before) implements WindowColumn {
    @Override
    public Column next(int from, int to) {
        int rows = to - from;
        if (rows == 0) {
            return Columns.empty(DataType.INT64);
        }
        Buffer data = allocator.allocate((long) rows * Long.BYTES);
        for (int row = 0; row < rows; row++) {
            frames.move(from + row);
            data.segment().setAtIndex(JAVA_LONG, row, before + frames.size());
        }
        return new LongColumn(DataType.INT64, rows, data, null, 0, 0);
    }

    @Override
    public void close() {
        // Nothing is kept.
    }
}
