package dev.millrace.internal.kernel.window;

import dev.millrace.column.Column;

/// The number of non-null values of a frame, while frames move forward. One thread.
final class FrameValues {
    private Column column;
    private boolean nullable;
    private int partition = -1;
    private int low;
    private int high;
    private long values;
    private long before;

    FrameValues(Column column) {
        this.column = column;
        this.nullable = column.hasNulls();
    }

    /// Continues with the rows of another column, numbered from 0; all rows so far belong to the frame of each.
    void goOn(Column next) {
        before += nullable ? values : high;
        column = next;
        nullable = next.hasNulls();
        values = 0;
        low = 0;
        high = 0;
        partition = 0;
    }

    /// Of the current frame; frames must not move back.
    long in(WindowFrames frames) {
        if (!nullable) {
            high = frames.to;
            return before + frames.size();
        }
        if (frames.partition() != partition) {
            partition = frames.partition();
            low = frames.from;
            high = frames.from;
            values = 0;
        }
        for (; low < frames.from; low++) {
            if (low < high && !column.isNull(low)) {
                values--;
            }
        }
        high = Math.max(high, low);
        for (; high < frames.to; high++) {
            values += column.isNull(high) ? 0 : 1;
        }
        return before + values;
    }
}
