package dev.millrace.internal.transform;

import dev.millrace.block.Block;

/// Where rows are written into columns: the end of a row pipeline.
interface RowSink extends RowStages.Written, AutoCloseable {
    /// Appends a [dev.millrace.batch.Row], or a record where the sink is made for records. After an error only
    /// [#backToMark] and [#close] are allowed.
    void append(Object item);

    long rows();

    /// Bytes of the rows so far.
    long sizeBytes();

    /// The rows so far as a block; the sink begins again, under the same columns. Never null; without rows it has the
    /// columns known so far.
    Block build();

    /// Whether the columns are known, so that an empty block says something.
    boolean knowsColumns();

    @Override
    void close();
}
