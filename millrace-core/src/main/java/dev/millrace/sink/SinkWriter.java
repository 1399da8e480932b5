package dev.millrace.sink;

import dev.millrace.block.Block;

/// The output of one attempt of a task. One thread.
public interface SinkWriter extends AutoCloseable {
    /// Writes a chunk, which the caller keeps. A chunk without rows is passed only to the writer of a dataset without
    /// rows: it asks for output that contains the schema.
    void write(Block chunk) throws Exception;

    /// Ends the output; all of it is written when this returns.
    Fragment finish() throws Exception;

    /// Frees what it holds; without a previous [#finish], also removes what it has written.
    @Override
    void close() throws Exception;
}
