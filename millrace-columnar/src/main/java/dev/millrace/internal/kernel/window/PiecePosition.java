package dev.millrace.internal.kernel.window;

/// Where a piece of a partition lies in it. One thread.
final class PiecePosition {
    private final long rows;
    private long before;
    private long different;

    /// @param rows of the whole partition
    PiecePosition(long rows) {
        this.rows = rows;
    }

    long rows() {
        return rows;
    }

    /// Rows before the piece.
    long before() {
        return before;
    }

    /// Peers before the piece, each group counted once.
    long different() {
        return different;
    }

    /// The piece is done.
    void pass(WindowPartitions piece) {
        before += piece.rows();
        different += piece.peerGroups();
    }
}
