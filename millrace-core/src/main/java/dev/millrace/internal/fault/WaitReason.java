package dev.millrace.internal.fault;

/// What a parked thread waits for, in words: the blocker of [java.util.concurrent.locks.LockSupport#park(Object)] where
/// a user's mistake may keep it waiting.
public interface WaitReason {
    /// "the future of mapBatchesAsync(ask) for part-3.parquet, rows 0-31, which is not completed"
    String reason();
}
