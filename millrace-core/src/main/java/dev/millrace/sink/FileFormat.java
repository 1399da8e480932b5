package dev.millrace.sink;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.nio.channels.WritableByteChannel;
import java.util.List;

/// How rows become the bytes of one file. Everything else about writing files is [dev.millrace.files.FileSink]'s.
public interface FileFormat extends Serializable {
    /// "Arrow"
    String name();

    /// Without the dot.
    String extension();

    /// Endings of files that count as this format when a folder is read, and so are replaced by an overwrite.
    default List<String> endings() {
        return List.of("." + extension());
    }

    /// True if every row is a file of its own, and a dataset without rows gives none.
    default boolean isFilePerRow() {
        return false;
    }

    /// Refuses columns that the format cannot hold, naming them.
    default void check(Schema schema) {}

    /// Begins a file of rows of one schema.
    ///
    /// @param out counts its bytes by itself; closed by [Writer#close], also when this throws
    Writer open(WritableByteChannel out, Schema schema, Allocator allocator) throws Exception;

    /// One file being written, on one thread.
    interface Writer extends AutoCloseable {
        /// Writes a block, which stays the caller's.
        void write(Block block) throws Exception;

        /// Bytes of memory that wait to be written, about.
        default long heldBytes() {
            return 0;
        }

        /// The name of the file, with its extension, where the rows tell it; null: [WriteOptions#names] names it. Asked
        /// after the last row.
        default String fileName() {
            return null;
        }

        /// Ends the file and closes the channel. Called once, after a failure too.
        @Override
        void close() throws Exception;
    }
}
