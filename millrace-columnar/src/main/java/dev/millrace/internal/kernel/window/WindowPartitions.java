package dev.millrace.internal.kernel.window;

import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// The starts of the partitions of sorted rows, and of the peer groups in them. Closed by its owner.
final class WindowPartitions implements AutoCloseable {
    private final int rows;
    private final RowNumberList starts;
    /// Starts of peer groups, and the end; those of partitions if peers are not needed.
    private final RowNumberList peers;

    private WindowPartitions(int rows, RowNumberList starts, RowNumberList peers) {
        this.rows = rows;
        this.starts = starts;
        this.peers = peers;
    }

    /// @param startsPartition for each row except the first, whether a partition begins with it; null if all are one
    /// @param startsPeers likewise for rows with equal order keys; null if peers are not needed
    static WindowPartitions of(
            Allocator allocator, int rows, @Nullable IntPredicate startsPartition, @Nullable IntPredicate startsPeers) {
        RowNumberList starts = starts(allocator, rows, startsPartition);
        if (startsPeers == null) {
            return new WindowPartitions(rows, starts, starts);
        }
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(starts);
            return scope.keep(new WindowPartitions(rows, starts, starts(allocator, rows, startsPeers)));
        }
    }

    private static RowNumberList starts(Allocator allocator, int rows, @Nullable IntPredicate begins) {
        try (ResourceScope scope = new ResourceScope()) {
            RowNumberList starts = scope.add(new RowNumberList(allocator, 0));
            for (int row = 0; row < rows; row++) {
                if (row == 0 || begins != null && begins.test(row)) {
                    starts.add(row);
                }
                if (begins == null) {
                    break;
                }
            }
            starts.add(rows);
            return scope.keep(starts);
        }
    }

    /// The same single partition with one more row before its first, which is a peer of none.
    WindowPartitions behindOne(Allocator allocator) {
        Cursor at = cursor();
        return of(
                allocator,
                rows + 1,
                null,
                peers == starts
                        ? null
                        : row -> {
                            at.move(row - 1);
                            return at.peersStart() == row - 1;
                        });
    }

    int rows() {
        return rows;
    }

    /// The number of peer groups.
    int peerGroups() {
        return peers.size() - 1;
    }

    /// A cursor that moves from row to row.
    Cursor cursor() {
        return new Cursor();
    }

    @Override
    public void close() {
        starts.close();
        if (peers != starts) {
            peers.close();
        }
    }

    /// The position of a row. One thread.
    final class Cursor {
        private int partition = -1;
        private int start;
        private int end;
        private int group = -1;
        private int firstGroup;
        private int peersStart;
        private int peersEnd;

        /// Moves to a row; rows must not move back.
        void move(int row) {
            boolean entered = row >= end;
            while (row >= end) {
                start = starts.get(++partition);
                end = starts.get(partition + 1);
            }
            while (row >= peersEnd) {
                peersStart = peers.get(++group);
                peersEnd = peers.get(group + 1);
            }
            if (entered) {
                firstGroup = groupOf(start);
            }
        }

        /// The peer group of this row, which is the current one or an earlier one.
        private int groupOf(int row) {
            int found = group;
            while (peers.get(found) > row) {
                found--;
            }
            return found;
        }

        /// The number of its partition.
        int partition() {
            return partition;
        }

        /// The first row of its partition.
        int start() {
            return start;
        }

        /// The row after the last of its partition.
        int end() {
            return end;
        }

        /// Its first peer.
        int peersStart() {
            return peersStart;
        }

        /// The row after its last peer.
        int peersEnd() {
            return peersEnd;
        }

        /// The number of peer groups of its partition before its own.
        int groupsBefore() {
            return group - firstGroup;
        }
    }
}
