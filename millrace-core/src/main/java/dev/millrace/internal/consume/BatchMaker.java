package dev.millrace.internal.consume;

/// Makes the batches of an iteration, one after the other. One thread.
interface BatchMaker<B> extends AutoCloseable {
    /// The next batch, which is the caller's; null at the end.
    B next();

    /// Frees a batch that nobody wants any more.
    void drop(B batch);

    @Override
    void close();
}
