package dev.millrace.internal.iceberg;

import dev.millrace.internal.parquet.read.TableFile;
import java.io.Serializable;
import java.util.List;

/// A data file, or some row groups of it, with the deletes that concern it.
///
/// @param bytes of the file
/// @param rows of the file, deleted ones included
/// @param offsets where its row groups begin; empty where the table does not tell
/// @param equality what deletes rows by their values; mostly empty
record PlannedFile(TableFile file, long bytes, long rows, List<Long> offsets, List<EqualityDelete> equality)
        implements Serializable {
    boolean hasDeletes() {
        return file.deletes() != null || !equality.isEmpty();
    }

    boolean isPart() {
        return file.from() > 0 || file.to() < Long.MAX_VALUE;
    }

    /// Only the row groups that begin in a range of bytes.
    PlannedFile part(long from, long to) {
        TableFile part = new TableFile(
                file.stored(), from, to, file.names(), file.ids(), file.constants(), file.defaults(), file.deletes());
        long share = Math.round((double) rows * (Math.min(to, bytes) - from) / Math.max(1, bytes));
        return new PlannedFile(part, Math.min(to, bytes) - from, share, List.of(), equality);
    }
}
