package dev.millrace.internal.parquet.read;

import java.io.Serializable;
import java.util.concurrent.atomic.AtomicLong;

/// Decides adaptively whether a read uses the page index: after several consecutive row groups in which no page could
/// be skipped, it is used for only one of several, until it helps again. So a filter on an unsorted column costs few
/// index reads, which are little against the row groups that were read whole. Thread-safe.
final class PageIndexUse implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int PATIENCE = 8;

    /// The number of consecutive row groups without a page to skip, including those whose index was not read.
    private final AtomicLong useless = new AtomicLong();

    /// Whether to use the index of the next row group.
    boolean isWorthIt() {
        long count = useless.get();
        if (count < PATIENCE || count % PATIENCE == 0) {
            return true;
        }
        useless.incrementAndGet();
        return false;
    }

    /// Reports whether the index helped.
    void asked(boolean useful) {
        if (useful) {
            useless.set(0);
        } else {
            useless.incrementAndGet();
        }
    }
}
