package dev.millrace.internal.kernel.window;

import dev.millrace.column.Column;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.memory.Allocator;

/// Functions whose value is that of another row.
abstract class FramePicks implements WindowColumn {
    private final Allocator allocator;
    private final Column column;

    /// @param column the caller keeps it
    FramePicks(Allocator allocator, Column column) {
        this.allocator = allocator;
        this.column = column;
    }

    /// The row whose value a row gets; -1 for none.
    abstract int pick(int row);

    @Override
    public final Column next(int from, int to) {
        int[] picked = new int[to - from];
        for (int i = 0; i < picked.length; i++) {
            picked[i] = pick(from + i);
        }
        return GatherKernel.takeOrNull(allocator, column, picked, picked.length);
    }

    @Override
    public void close() {
        // Most keep nothing.
    }

    /// The row `shift` before each one, after it if negative.
    ///
    /// @param otherwise for rows that have none
    static FramePicks shifted(
            Allocator allocator, Column column, WindowPartitions partitions, long shift, int otherwise) {
        long rows = Math.clamp(shift, -(long) partitions.rows(), partitions.rows());
        WindowPartitions.Cursor at = partitions.cursor();
        return new FramePicks(allocator, column) {
            @Override
            int pick(int row) {
                at.move(row);
                long other = row - rows;
                return other >= at.start() && other < at.end() ? (int) other : otherwise;
            }
        };
    }

    /// The `nth` row of each frame, counted from its end if negative.
    static FramePicks nth(Allocator allocator, Column column, WindowFrames frames, long nth) {
        return new FramePicks(allocator, column) {
            @Override
            int pick(int row) {
                frames.move(row);
                long at = nth > 0 ? frames.from + nth - 1 : frames.to + nth;
                return at >= frames.from && at < frames.to ? (int) at : -1;
            }
        };
    }

    /// The same among the non-null rows.
    static FramePicks nthValue(Allocator allocator, Column column, WindowFrames frames, long nth) {
        return column.hasNulls() ? new NthValue(allocator, column, frames, nth) : nth(allocator, column, frames, nth);
    }

    private static final class NthValue extends FramePicks {
        private final WindowFrames frames;
        private final long nth;
        /// The non-null rows.
        private final RowNumberList there;
        /// The number of them before the current frame's first row, and before the row after its last.
        private int before;

        private int behind;

        NthValue(Allocator allocator, Column column, WindowFrames frames, long nth) {
            super(allocator, column);
            this.frames = frames;
            this.nth = nth;
            this.there = new RowNumberList(allocator, Math.toIntExact(column.length() - column.nullCount()));
            for (int row = 0; row < column.length(); row++) {
                if (!column.isNull(row)) {
                    there.add(row);
                }
            }
        }

        @Override
        int pick(int row) {
            frames.move(row);
            before = countBelow(frames.from, before);
            behind = countBelow(Math.max(frames.from, frames.to), Math.max(behind, before));
            long at = nth > 0 ? before + nth - 1 : behind + nth;
            return at >= before && at < behind ? there.get((int) at) : -1;
        }

        private int countBelow(int row, int known) {
            int count = known;
            while (count < there.size() && there.get(count) < row) {
                count++;
            }
            return count;
        }

        @Override
        public void close() {
            there.close();
        }
    }
}
