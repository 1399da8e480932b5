package dev.millrace.internal.kernel.window;

import dev.millrace.column.Column;

/// How many values of a frame are not null, while frames go forward. One thread.
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

    /// Rows of another column come now, with numbers from 0 on; those so far are in the frame of each.
    void goOn(Column next) {
        before += nullable ? values : high;
        column = next;
        nullable = next.hasNulls();
        values = 0;
        low = 0;
        high = 0;
        partition = 0;
    }

    /// Of the current frame, which is not one before the last.
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
