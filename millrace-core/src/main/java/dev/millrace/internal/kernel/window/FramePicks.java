package dev.millrace.internal.kernel.window;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.expression.SortKey;
import dev.millrace.internal.kernel.sort.RowCompare;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.util.List;

/// Functions whose value is that of another row: for each row that row, -1 for none.
final class FramePicks {
    private FramePicks() {}

    /// The row `rows` before each one, after it where negative.
    ///
    /// @param otherwise for rows that have none
    static int[] shifted(Partitions partitions, long rows, int otherwise) {
        int[] picked = new int[partitions.rows()];
        long shift = Math.clamp(rows, -(long) picked.length, picked.length);
        for (int p = 0; p < partitions.count(); p++) {
            int start = partitions.start(p);
            int end = partitions.end(p);
            for (int row = start; row < end; row++) {
                long other = row - shift;
                picked[row] = other >= start && other < end ? (int) other : otherwise;
            }
        }
        return picked;
    }

    /// The `nth` row of each frame, from its end where negative.
    static int[] nth(FrameBounds frames, long nth) {
        int[] picked = new int[frames.rows()];
        for (int row = 0; row < picked.length; row++) {
            long at = nth > 0 ? frames.from[row] + nth - 1 : frames.to[row] + nth;
            picked[row] = at >= frames.from[row] && at < frames.to[row] ? (int) at : -1;
        }
        return picked;
    }

    /// The same of the rows that are not null.
    static int[] nthValue(FrameBounds frames, Column column, long nth) {
        int rows = frames.rows();
        int[] before = new int[rows + 1];
        int[] there = new int[rows];
        for (int row = 0; row < rows; row++) {
            before[row + 1] = before[row];
            if (!column.isNull(row)) {
                there[before[row + 1]++] = row;
            }
        }
        int[] picked = new int[rows];
        for (int row = 0; row < rows; row++) {
            int to = Math.max(frames.from[row], frames.to[row]);
            long at = nth > 0 ? before[frames.from[row]] + nth - 1 : before[to] + nth;
            picked[row] = at >= before[frames.from[row]] && at < before[to] ? there[(int) at] : -1;
        }
        return picked;
    }

    /// The row with the least or greatest value of each frame, the first of several; nulls are left out.
    static int[] extreme(Allocator allocator, FrameBounds frames, Column column, boolean greatest) {
        Schema schema = Schema.of("v", column.type());
        try (Block block = Block.sharing(schema, List.of(column), column.length())) {
            Extreme extreme =
                    new Extreme(column, RowCompare.of(allocator, block, List.of(SortKey.ascending("v"))), greatest);
            return extreme.of(frames);
        }
    }

    private record Extreme(Column column, RowCompare order, boolean greatest) {
        int[] of(FrameBounds frames) {
            int rows = frames.rows();
            int[] fromStart = new int[rows];
            for (int row = 0; row < rows; row++) {
                int own = column.isNull(row) ? -1 : row;
                fromStart[row] = frames.startsSegment(row) ? own : better(fromStart[row - 1], own);
            }
            int[] toEnd = frames.fromStart ? fromStart : new int[rows];
            for (int row = rows - 1; row >= 0 && !frames.fromStart; row--) {
                int own = column.isNull(row) ? -1 : row;
                toEnd[row] = frames.endsSegment(row) ? own : better(own, toEnd[row + 1]);
            }
            int[] picked = new int[rows];
            for (int row = 0; row < rows; row++) {
                int from = frames.from[row];
                int last = frames.to[row] - 1;
                picked[row] = last < from
                        ? -1
                        : switch (frames.pieces(row)) {
                            case FROM_START -> fromStart[last];
                            case TO_END -> toEnd[from];
                            case BOTH -> better(toEnd[from], fromStart[last]);
                        };
            }
            return picked;
        }

        /// Of two rows, the second of which comes later; either may be none.
        private int better(int first, int second) {
            if (first < 0 || second < 0) {
                return Math.max(first, second);
            }
            int compared = order.compare(second, first);
            return (greatest ? compared > 0 : compared < 0) ? second : first;
        }
    }
}
