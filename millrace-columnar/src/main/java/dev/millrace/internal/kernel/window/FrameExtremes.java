package dev.millrace.internal.kernel.window;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.kernel.sort.RowCompare;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Schema;
import java.util.List;

/// The least or greatest value of each frame; nulls are ignored.
final class FrameExtremes extends FramePicks {
    private static final int NONE = -1;

    private final Allocator allocator;
    private final Column column;
    private final WindowFrames frames;
    private final boolean isGreatest;
    private final Block block;
    private final RowCompare order;
    private final Extremes extremes = new Extremes();

    /// @param column the caller keeps it
    FrameExtremes(Allocator allocator, Column column, WindowFrames frames, boolean isGreatest) {
        super(allocator, column);
        this.allocator = allocator;
        this.column = column;
        this.frames = frames;
        this.isGreatest = isGreatest;
        this.block = Block.sharing(Schema.of("v", column.type()), List.of(column), column.length());
        this.order = RowCompare.of(allocator, block, List.of(SortKey.ascending("v")));
    }

    @Override
    int pick(int row) {
        frames.move(row);
        extremes.move(frames);
        return extremes.row();
    }

    @Override
    public void close() {
        extremes.close();
        block.close();
    }

    /// The better of two rows, the second of which comes later; either may be none.
    private int better(int first, int second) {
        if (first < 0 || second < 0) {
            return Math.max(first, second);
        }
        int compared = order.compare(second, first);
        return (isGreatest ? compared > 0 : compared < 0) ? second : first;
    }

    private int own(int row) {
        return column.isNull(row) ? NONE : row;
    }

    private final class Extremes extends SlidingAggregate {
        private int behind = NONE;
        /// For each row from `first` on, the best row from there to the border; empty before the first.
        private Buffer before = Buffer.EMPTY;

        private int first;

        int row() {
            if (frames.size() == 0) {
                return NONE;
            }
            return hasBefore() ? better(before.segment().getAtIndex(JAVA_INT, low() - first), behind) : behind;
        }

        @Override
        void clear() {
            behind = NONE;
        }

        @Override
        void add(int row) {
            behind = better(behind, own(row));
        }

        @Override
        void turn(int from, int to) {
            long bytes = (long) (to - from) * Integer.BYTES;
            if (before.segment().byteSize() < bytes) {
                close();
                before = allocator.allocate(bytes);
            }
            first = from;
            int best = NONE;
            for (int row = to - 1; row >= from; row--) {
                best = better(own(row), best);
                before.segment().setAtIndex(JAVA_INT, row - from, best);
            }
        }

        @Override
        public void close() {
            before.release();
            before = Buffer.EMPTY;
        }
    }
}
