package dev.millrace.internal.transform;

import dev.millrace.block.Block;

/// Writes rows into columns: the end of a row pipeline.
interface RowSink extends RowStages.Written, AutoCloseable {
    /// Appends a [dev.millrace.batch.Row], or a record if the sink is for records. After an error only [#backToMark]
    /// and [#close] are allowed.
    void append(Object item);

    long rows();

    /// Bytes of the rows so far.
    long sizeBytes();

    /// The rows so far as a block; the sink begins again, with the same columns. Never null; without rows it has the
    /// columns known so far.
    Block build();

    /// Whether the columns are known, so that an empty block has a schema.
    boolean knowsColumns();

    @Override
    void close();
}
