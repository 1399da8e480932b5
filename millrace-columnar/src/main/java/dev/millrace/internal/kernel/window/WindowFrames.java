package dev.millrace.internal.kernel.window;

import dev.millrace.window.Frame;

/// The frames of rows, one after the other. Inside a partition neither end ever moves back. One thread.
abstract class WindowFrames {
    private final WindowPartitions.Cursor at;
    /// The first row of the current frame, in the row's partition.
    int from;
    /// The row after the last; at or before `from` if the frame is empty.
    int to;

    WindowFrames(WindowPartitions partitions) {
        this.at = partitions.cursor();
    }

    /// Frames that count rows or peers.
    static WindowFrames of(WindowPartitions partitions, Frame frame) {
        return frame.unit() == Frame.Unit.RANGE ? new OfPeers(partitions, frame) : new OfRows(partitions, frame);
    }

    /// Moves to the frame of a row; rows must not move back.
    final void move(int row) {
        at.move(row);
        place(row, at);
    }

    abstract void place(int row, WindowPartitions.Cursor where);

    /// The number of rows of the current frame.
    final int size() {
        return Math.max(0, to - from);
    }

    /// The number of the current frame's partition.
    final int partition() {
        return at.partition();
    }

    private static final class OfRows extends WindowFrames {
        private final boolean isOpen;
        private final boolean isToEnd;
        private final long before;
        private final long after;

        OfRows(WindowPartitions partitions, Frame frame) {
            super(partitions);
            long rows = partitions.rows();
            this.isOpen = frame.from() == Frame.UNBOUNDED_PRECEDING;
            this.isToEnd = frame.to() == Frame.UNBOUNDED_FOLLOWING;
            this.before = Math.clamp(frame.from(), -rows, rows);
            this.after = Math.clamp(frame.to(), -rows, rows);
        }

        @Override
        void place(int row, WindowPartitions.Cursor where) {
            int start = where.start();
            int end = where.end();
            from = isOpen ? start : Math.clamp(row + before, start, end);
            to = isToEnd ? end : Math.clamp(row + after + 1, start, end);
        }
    }

    private static final class OfPeers extends WindowFrames {
        private final boolean isOpen;
        private final boolean isToEnd;

        OfPeers(WindowPartitions partitions, Frame frame) {
            super(partitions);
            this.isOpen = frame.from() == Frame.UNBOUNDED_PRECEDING;
            this.isToEnd = frame.to() == Frame.UNBOUNDED_FOLLOWING;
        }

        @Override
        void place(int row, WindowPartitions.Cursor where) {
            from = isOpen ? where.start() : where.peersStart();
            to = isToEnd ? where.end() : where.peersEnd();
        }
    }
}
