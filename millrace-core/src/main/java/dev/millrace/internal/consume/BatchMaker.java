package dev.millrace.internal.consume;

import org.jspecify.annotations.Nullable;

/// Makes the batches of an iteration, one after the other. One thread at a time; what [#plan] returns may be made by
/// another one meanwhile.
interface BatchMaker<B> extends AutoCloseable {
    /// A batch whose rows are chosen and held, to be made by any thread: exactly one of its methods is called, once.
    interface Planned<B> {
        /// The batch, which the caller owns.
        B make();

        /// It is not wanted any more.
        void drop();
    }

    /// The next batch; null at the end. Takes what is sequential: pulling blocks and choosing rows.
    @Nullable
    Planned<B> plan();

    /// The next batch, which the caller owns; null at the end.
    default @Nullable B next() {
        Planned<B> planned = plan();
        return planned == null ? null : planned.make();
    }

    /// Frees a batch that is no longer wanted.
    void drop(B batch);

    @Override
    void close();
}
