package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.millrace.column.Column;
import dev.millrace.column.DoubleColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;

/// Sums and means of doubles over frames. Nothing is ever subtracted, so NaN and infinity do not persist after they
/// leave a frame.
final class FrameSums implements RunningColumn {
    private final Allocator allocator;
    private final boolean isMean;
    private final FrameValues values;
    private final Sums sums = new Sums();
    private DoubleColumn column;
    private WindowFrames frames;

    /// @param column the caller keeps it
    FrameSums(Allocator allocator, WindowFrames frames, DoubleColumn column, boolean isMean) {
        this.allocator = allocator;
        this.frames = frames;
        this.column = column;
        this.isMean = isMean;
        this.values = new FrameValues(column);
    }

    @Override
    public void goOn(Column next, WindowFrames over) {
        column = (DoubleColumn) next;
        frames = over;
        values.goOn(next);
        sums.goOn();
    }

    @Override
    public Column next(int from, int to) {
        int rows = to - from;
        try (NumberColumnBuilder made = new NumberColumnBuilder(allocator, DataType.FLOAT64, rows)) {
            for (int row = 0; row < rows; row++) {
                frames.move(from + row);
                sums.move(frames);
                long count = values.in(frames);
                if (count > 0) {
                    made.there(row);
                    made.data().setAtIndex(JAVA_DOUBLE, row, isMean ? sums.sum() / count : sums.sum());
                }
            }
            return made.column();
        }
    }

    @Override
    public void close() {
        sums.close();
    }

    private final class Sums extends SlidingAggregate {
        private double behind;
        /// For each row from `first` on, the sum from there to the border; empty before the first.
        private Buffer before = Buffer.EMPTY;

        private int first;

        double sum() {
            return hasBefore() ? before.segment().getAtIndex(JAVA_DOUBLE, low() - first) + behind : behind;
        }

        @Override
        void clear() {
            behind = 0;
        }

        @Override
        void add(int row) {
            behind += value(row);
        }

        @Override
        void turn(int from, int to) {
            long bytes = (long) (to - from) * Double.BYTES;
            if (before.segment().byteSize() < bytes) {
                close();
                before = allocator.allocate(bytes);
            }
            first = from;
            double sum = 0;
            for (int row = to - 1; row >= from; row--) {
                sum += value(row);
                before.segment().setAtIndex(JAVA_DOUBLE, row - from, sum);
            }
        }

        private double value(int row) {
            return column.isNull(row) ? 0 : column.get(row);
        }

        @Override
        public void close() {
            before.release();
            before = Buffer.EMPTY;
        }
    }
}
