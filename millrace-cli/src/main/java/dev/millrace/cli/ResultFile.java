package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.commit.WholeFiles;
import dev.millrace.internal.source.FormatRegistry;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteOptions;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Writes the rows of a dataset to one file, in order, while they are produced; or to the files of a folder.
final class ResultFile {
    static final List<String> FORMATS = List.of("parquet", "csv", "json", "arrow", "avro");

    private static final int BATCH_ROWS = 16_384;

    private ResultFile() {}

    /// Writes the file completely or not at all.
    ///
    /// @return the number of rows
    static long write(Session session, Dataset rows, String format, Path file) throws IOException {
        FileFormat as = checked(format, rows.schema());
        Path whole = file.toAbsolutePath();
        if (whole.getParent() != null) {
            Files.createDirectories(whole.getParent());
        }
        return WholeFiles.write(
                whole,
                path -> write(
                        session,
                        rows,
                        as,
                        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)));
    }

    static long writeFolder(Dataset rows, String format, String folder) {
        return rows.write(format, folder, WriteOptions.defaults().overwrite(), null)
                .rows();
    }

    /// Text formats only.
    static void print(Session session, Dataset rows, String format, PrintWriter to) {
        write(session, rows, checked(format, rows.schema()), new Printing(to));
    }

    private static FileFormat checked(String format, Schema schema) {
        FileFormat file = FormatRegistry.toWrite(format).writing(null);
        file.check(schema);
        return file;
    }

    /// Closes the channel.
    private static long write(Session session, Dataset rows, FileFormat file, WritableByteChannel channel) {
        Schema schema = rows.schema();
        long count = 0;
        try (FileFormat.Writer writer = file.open(channel, schema, session.allocator());
                CloseableIterator<Batch> batches = rows.iterBatches(BATCH_ROWS)) {
            while (batches.hasNext()) {
                Batch batch = batches.next();
                List<Column> columns = new ArrayList<>();
                schema.names().forEach(name -> columns.add(batch.column(name)));
                try (Block block = Block.sharing(schema, columns, batch.rows())) {
                    writer.write(block);
                }
                count += batch.rows();
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw MillraceException.user(
                    "The rows could not be written as " + file.name() + ": " + e.getMessage() + ".");
        }
        return count;
    }

    /// Decodes bytes to text for a writer, which stays open.
    private static final class Printing implements WritableByteChannel {
        private final PrintWriter to;
        private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        /// The first bytes of a character that is not yet complete.
        private byte[] begun = {};

        Printing(PrintWriter to) {
            this.to = to;
        }

        @Override
        public int write(ByteBuffer source) {
            int size = source.remaining();
            ByteBuffer bytes = ByteBuffer.allocate(begun.length + size)
                    .put(begun)
                    .put(source)
                    .flip();
            CharBuffer text = CharBuffer.allocate(bytes.remaining());
            decoder.decode(bytes, text, false);
            begun = new byte[bytes.remaining()];
            bytes.get(begun);
            to.append(text.flip());
            return size;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            to.flush();
        }
    }
}
