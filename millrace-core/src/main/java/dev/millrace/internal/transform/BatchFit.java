package dev.millrace.internal.transform;

import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Limits the number of rows per batch of each function so that its result stays within a task's share of memory. The
/// tasks of one operator share what is learnt, if they run in one process: a batch whose result is larger than the
/// share makes the following ones smaller. Thread-safe.
public final class BatchFit implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long shareBytes;
    private transient Map<String, Long> most = new ConcurrentHashMap<>();

    /// @param shareBytes the maximum result size of one batch
    public BatchFit(long shareBytes) {
        this.shareBytes = shareBytes;
    }

    public long shareBytes() {
        return shareBytes;
    }

    /// The maximum number of rows per batch of this function.
    long rows(String function) {
        return most.getOrDefault(function, Long.MAX_VALUE);
    }

    /// The largest single memory request of a batch with more than one row: growing builders request twice what they
    /// need.
    long mostAtOnce() {
        return shareBytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * shareBytes;
    }

    /// A batch of this many rows returned this many bytes; true if batches are smaller from now on.
    boolean made(String function, long rows, long bytes) {
        if (bytes <= shareBytes || rows <= 1) {
            return false;
        }
        return shrink(function, Math.min(rows / 2, (long) (rows * ((double) shareBytes / bytes))));
    }

    /// A batch of this many rows was refused memory.
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

    /// What was learnt is not part of the plan.
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
