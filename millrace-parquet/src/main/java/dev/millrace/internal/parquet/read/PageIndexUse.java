package dev.millrace.internal.parquet.read;

import java.io.Serializable;
import java.util.concurrent.atomic.AtomicLong;

/// Whether a read goes on asking the page index: after some row groups in a row of which no page could be left out, it
/// is asked for one of several only, until it is of use again. So a filter on a column in no order pays for few of its
/// indexes, and what a read may lose stays small against the row groups that it read whole. Thread-safe.
final class PageIndexUse implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int PATIENCE = 8;

    /// Row groups in a row without a page to leave out, those not asked for among them.
    private final AtomicLong useless = new AtomicLong();

    /// Whether to ask for the next row group.
    boolean isWorthIt() {
        long count = useless.get();
        if (count < PATIENCE || count % PATIENCE == 0) {
            return true;
        }
        useless.incrementAndGet();
        return false;
    }

    /// What came of it.
    void asked(boolean useful) {
        if (useful) {
            useless.set(0);
        } else {
            useless.incrementAndGet();
        }
    }
}
