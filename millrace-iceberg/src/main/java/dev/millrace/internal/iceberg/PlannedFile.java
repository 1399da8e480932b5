package dev.millrace.internal.iceberg;

import dev.millrace.internal.parquet.read.TableFile;
import java.io.Serializable;
import java.util.List;

/// A data file, or some of its row groups, with the deletes that apply to it.
///
/// @param bytes the size of the file
/// @param rows the number of rows in the file, including deleted ones
/// @param offsets the start offsets of its row groups; empty if the table does not record them
/// @param equality equality deletes; mostly empty
record PlannedFile(TableFile file, long bytes, long rows, List<Long> offsets, List<EqualityDelete> equality)
        implements Serializable {
    boolean hasDeletes() {
        return file.deletes() != null || !equality.isEmpty();
    }

    boolean isPart() {
        return file.from() > 0 || file.to() < Long.MAX_VALUE;
    }

    /// Only the row groups that begin in a byte range.
    PlannedFile part(long from, long to) {
        TableFile part = new TableFile(
                file.stored(), from, to, file.names(), file.ids(), file.constants(), file.defaults(), file.deletes());
        long share = Math.round((double) rows * (Math.min(to, bytes) - from) / Math.max(1, bytes));
        return new PlannedFile(part, Math.min(to, bytes) - from, share, List.of(), equality);
    }
}
