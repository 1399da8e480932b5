package dev.millrace.sink;

import dev.millrace.block.Block;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes rows as the bytes of one file. [dev.millrace.files.FileSink] does everything else about writing files.
public interface FileFormat extends Serializable {
    /// "Arrow"
    String name();

    /// Without the dot.
    String extension();

    /// File endings that count as this format when a folder is read, and so are replaced by an overwrite.
    default List<String> endings() {
        return List.of("." + extension());
    }

    /// True if every row is a file of its own, and a dataset without rows creates none.
    default boolean isFilePerRow() {
        return false;
    }

    /// Refuses columns that the format cannot represent, naming them.
    default void check(Schema schema) {}

    /// Begins a file of rows of one schema.
    ///
    /// @param out counts its bytes itself; closed by [Writer#close], also when this throws
    Writer open(WritableByteChannel out, Schema schema, Allocator allocator) throws Exception;

    /// One file being written, on one thread.
    interface Writer extends AutoCloseable {
        /// Writes a block, which the caller keeps.
        void write(Block block) throws Exception;

        /// The approximate bytes of memory that wait to be written.
        default long heldBytes() {
            return 0;
        }

        /// The name of the file, with its extension, if the rows determine it; null: [WriteOptions#names] names it.
        /// Called after the last row.
        default @Nullable String fileName() {
            return null;
        }

        /// Ends the file and closes the channel. Called once, after a failure too.
        @Override
        void close() throws Exception;
    }
}
