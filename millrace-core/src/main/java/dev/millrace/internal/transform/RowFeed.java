package dev.millrace.internal.transform;

import dev.millrace.batch.RowCursor;
import dev.millrace.block.Block;
import dev.millrace.internal.lifetime.Lifetime;
import dev.millrace.internal.lifetime.Lifetimes;

/// Hands out the rows of a chunk: one cursor that moves, or, where lifetimes are checked, one per row that ends with
/// the next.
final class RowFeed {
    private final String operation;
    private final RowCursor cursor = new RowCursor();
    private Lifetime last;

    RowFeed(String operation) {
        this.operation = operation;
    }

    void enter(Block chunk) {
        cursor.reopen(chunk);
    }

    RowCursor row(long row) {
        cursor.moveTo(row);
        if (!Lifetimes.CHECKED) {
            return cursor;
        }
        if (last != null) {
            last.end();
        }
        last = new Lifetime(operation);
        return cursor.bound(last);
    }

    /// After the last row: rows that a function kept are errors from here on.
    void leave() {
        cursor.end();
        if (last != null) {
            last.end();
        }
    }
}
