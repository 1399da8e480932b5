package dev.millrace.internal.consume;

import org.jspecify.annotations.Nullable;

/// Makes the batches of an iteration, one after the other. One thread.
interface BatchMaker<B> extends AutoCloseable {
    /// The next batch, which the caller owns; null at the end.
    @Nullable
    B next();

    /// Frees a batch that is no longer wanted.
    void drop(B batch);

    @Override
    void close();
}
