package dev.millrace.internal.kernel.window;

/// The position of a piece in its partition. One thread.
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

    /// The number of rows before the piece.
    long before() {
        return before;
    }

    /// The number of peer groups before the piece.
    long different() {
        return different;
    }

    /// The piece is done.
    void pass(WindowPartitions piece) {
        before += piece.rows();
        different += piece.peerGroups();
    }
}
