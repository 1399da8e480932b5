package dev.millrace.internal.kernel.window;

import dev.millrace.column.Column;

/// A [WindowColumn] that can go on from one piece of a partition to the next, where frames begin with the partition.
interface RunningColumn extends WindowColumn {
    /// The rows of the next piece, from 0 on, follow those so far in the same partition.
    ///
    /// @param column of the same type as the last; it stays the caller's
    void goOn(Column column, WindowFrames frames);
}
