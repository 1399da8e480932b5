package dev.millrace.internal.kernel.window;

import dev.millrace.column.Column;

/// A [WindowColumn] that can continue from one piece of a partition to the next, if frames begin with the partition.
interface RunningColumn extends WindowColumn {
    /// The rows of the next piece, numbered from 0, follow those so far in the same partition.
    ///
    /// @param column of the same type as the last; the caller keeps it
    void goOn(Column column, WindowFrames frames);
}
