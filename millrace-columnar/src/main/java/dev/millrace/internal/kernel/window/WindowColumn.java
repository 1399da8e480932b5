package dev.millrace.internal.kernel.window;

import dev.millrace.column.Column;

/// The column of a window function, computed piece by piece from the first row to the last. Its working memory is
/// counted. One thread; closed by its owner.
interface WindowColumn extends AutoCloseable {
    /// The values of the rows `from` to `to`, which the caller releases; `from` is not before the last call's `to`.
    Column next(int from, int to);

    @Override
    void close();
}
