package dev.millrace.internal.transform;

import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// How many rows a batch of each function may have so that what it makes stays within a task's share of memory. The
/// tasks of one operator learn it together, as far as they run in one process: a batch whose result is larger than the
/// share makes the following ones smaller. Thread-safe.
public final class BatchFit implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long shareBytes;
    private transient Map<String, Long> most = new ConcurrentHashMap<>();

    /// @param shareBytes what one batch may make
    public BatchFit(long shareBytes) {
        this.shareBytes = shareBytes;
    }

    public long shareBytes() {
        return shareBytes;
    }

    /// Rows per batch of this function at most.
    long rows(String function) {
        return most.getOrDefault(function, Long.MAX_VALUE);
    }

    /// The largest piece of memory that a batch of more than one row may ask for: builders that grow ask for twice what
    /// they need.
    long mostAtOnce() {
        return shareBytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * shareBytes;
    }

    /// A batch of so many rows gave so many bytes; true if batches are smaller from now on.
    boolean made(String function, long rows, long bytes) {
        if (bytes <= shareBytes || rows <= 1) {
            return false;
        }
        return shrink(function, Math.min(rows / 2, (long) (rows * ((double) shareBytes / bytes))));
    }

    /// A batch of so many rows found no memory.
    void refused(String function, long rows) {
        shrink(function, rows / 2);
    }

    private boolean shrink(String function, long rows) {
        long wanted = Math.max(1, rows);
        return most.merge(function, wanted, Math::min) == wanted;
    }

    private Object readResolve() {
        return new BatchFit(shareBytes);
    }

    /// What was learnt is no part of the plan.
    @Override
    public boolean equals(Object other) {
        return other instanceof BatchFit fit && fit.shareBytes == shareBytes;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(shareBytes);
    }

    @Override
    public String toString() {
        return "batches of " + shareBytes + " bytes at most";
    }
}
