package dev.millrace.internal.kernel.window;

import dev.millrace.window.Frame;
import java.util.Arrays;

/// Of each row the rows of its frame. They are put together of at most two pieces: rows from somewhere to the end of a
/// segment, and from the start of the next one to somewhere. So what is known of every row's way from its segment's
/// start, and to its end, is enough for all frames, however wide, and nothing must ever be taken away from a sum.
final class FrameBounds {
    /// The first row.
    final int[] from;
    /// The row behind the last; at or before `from` where the frame is empty.
    final int[] to;
    /// The first row of each row's segment.
    final int[] segment;
    /// Whether all frames begin with their segments.
    final boolean fromStart;

    private FrameBounds(int[] from, int[] to, int[] segment, boolean fromStart) {
        this.from = from;
        this.to = to;
        this.segment = segment;
        this.fromStart = fromStart;
    }

    /// @param from of each row the first row of its frame, in the row's partition and never before the one of the row
    ///     before
    /// @param to the row behind the last, likewise
    static FrameBounds of(Partitions partitions, int[] from, int[] to) {
        int[] segment = new int[partitions.rows()];
        for (int p = 0; p < partitions.count(); p++) {
            // A frame that begins behind a border has the next one inside or at its end: so borders are chosen.
            int begin = partitions.start(p);
            int border = begin - 1;
            for (int row = partitions.start(p); row < partitions.end(p); row++) {
                if (from[row] < to[row] && from[row] > border) {
                    border = to[row];
                    Arrays.fill(segment, begin, border, begin);
                    begin = border;
                }
            }
            Arrays.fill(segment, begin, partitions.end(p), begin);
        }
        return new FrameBounds(from, to, segment, false);
    }

    static FrameBounds of(Partitions partitions, Frame frame) {
        boolean fromStart = frame.from() == Frame.UNBOUNDED_PRECEDING;
        boolean toEnd = frame.to() == Frame.UNBOUNDED_FOLLOWING;
        int rows = partitions.rows();
        int[] from = new int[rows];
        int[] to = new int[rows];
        int[] peerFirsts = frame.unit() == Frame.Unit.RANGE ? partitions.firstPeers() : null;
        int[] peerEnds = frame.unit() == Frame.Unit.RANGE ? partitions.peerEnds() : null;
        long before = Math.clamp(frame.from(), -(long) rows, rows);
        long after = Math.clamp(frame.to(), -(long) rows, rows);
        for (int p = 0; p < partitions.count(); p++) {
            int start = partitions.start(p);
            int end = partitions.end(p);
            for (int row = start; row < end; row++) {
                from[row] = fromStart
                        ? start
                        : peerFirsts != null ? peerFirsts[row] : (int) Math.clamp(row + before, start, end);
                to[row] =
                        toEnd ? end : peerEnds != null ? peerEnds[row] : (int) Math.clamp(row + after + 1, start, end);
            }
        }
        return new FrameBounds(from, to, segments(partitions, frame, after - before + 1, peerFirsts), fromStart);
    }

    /// Frames with an open end stay in the partition, those of peers in theirs, and others of `width` rows meet at most
    /// two segments of as many.
    private static int[] segments(Partitions partitions, Frame frame, long width, int[] peerFirsts) {
        if (frame.from() == Frame.UNBOUNDED_PRECEDING || frame.to() == Frame.UNBOUNDED_FOLLOWING) {
            return partitions.firsts();
        }
        if (peerFirsts != null) {
            return peerFirsts;
        }
        int[] segment = new int[partitions.rows()];
        for (int p = 0; p < partitions.count(); p++) {
            int start = partitions.start(p);
            for (int row = start; row < partitions.end(p); row++) {
                segment[row] = (int) (row - (row - start) % width);
            }
        }
        return segment;
    }

    int rows() {
        return from.length;
    }

    boolean startsSegment(int row) {
        return segment[row] == row;
    }

    boolean endsSegment(int row) {
        return row + 1 == segment.length || startsSegment(row + 1);
    }

    /// How the frame of a row that is not empty is put together.
    Pieces pieces(int row) {
        int first = segment[from[row]];
        if (first != segment[to[row] - 1]) {
            return Pieces.BOTH;
        }
        return first == from[row] ? Pieces.FROM_START : Pieces.TO_END;
    }

    /// The parts of segments that make a frame.
    enum Pieces {
        /// From a segment's start to the frame's last row.
        FROM_START,
        /// From the frame's first row to its segment's end.
        TO_END,
        /// To a segment's end, and on from the next one's start.
        BOTH
    }
}
