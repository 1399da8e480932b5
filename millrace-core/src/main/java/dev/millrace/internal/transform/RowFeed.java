package dev.millrace.internal.transform;

import dev.millrace.batch.RowCursor;
import dev.millrace.block.Block;
import dev.millrace.internal.lifetime.Lifetime;
import dev.millrace.internal.lifetime.Lifetimes;
import org.jspecify.annotations.Nullable;

/// Iterates over the rows of a chunk: one cursor that moves, or, if lifetimes are checked, one per row that ends with
/// the next.
final class RowFeed {
    private final String operation;
    private final RowCursor cursor = new RowCursor();
    private @Nullable Lifetime last;

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

    /// After the last row: using a row that a function kept is an error from here on.
    void leave() {
        cursor.end();
        if (last != null) {
            last.end();
        }
    }
}
