package dev.millrace.internal.sink;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.SinkWriter;
import dev.millrace.sink.WriteTask;
import dev.millrace.sink.WrittenFile;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// The files of one attempt, named after it. A file begins when the one before has its rows, or when a chunk comes
/// whose
/// columns do not fit the open one.
public final class FileSinkWriter implements SinkWriter {
    private final Path folder;
    private final WriteTask task;
    private final FileFormat format;
    private final long maxRows;
    private final List<WrittenFile> written = new ArrayList<>();
    private OpenFile open;
    private boolean finished;

    /// @param folder of the job
    public FileSinkWriter(Path folder, WriteTask task, FileFormat format, long maxRows) {
        this.folder = folder;
        this.task = task;
        this.format = format;
        this.maxRows = maxRows;
    }

    @Override
    public void write(Block chunk) throws Exception {
        long from = 0;
        do {
            if (open != null && (open.rows >= maxRows || !fits(chunk.schema(), open.schema))) {
                end();
            }
            if (open == null) {
                open = begin(chunk.schema());
            }
            long rows = Math.min(chunk.rows() - from, maxRows - open.rows);
            try (Block part = chunk.slice(from, rows);
                    Block same = Blocks.widen(task.allocator(), part, open.schema)) {
                open.writer.write(same);
            }
            open.rows += rows;
            from += rows;
        } while (from < chunk.rows());
    }

    /// True if the file's columns can hold the chunk's: the same ones, each of the same type or a wider one.
    private static boolean fits(Schema chunk, Schema file) {
        if (chunk.equals(file)) {
            return true;
        }
        try {
            return chunk.names().equals(file.names())
                    && Types.unify(file, chunk).equals(file);
        } catch (MillraceException _) {
            return false;
        }
    }

    private OpenFile begin(Schema schema) throws Exception {
        format.check(schema);
        // The job's folder is there as long as the job: after it, a lost worker's attempt ends here.
        String name = task.attempt() + "-" + written.size() + "." + format.extension();
        ToFile channel = new ToFile(folder.resolve(name), task.job().resumable());
        try {
            return new OpenFile(name, schema, channel, format.open(channel, schema, task.allocator()));
        } catch (Exception e) {
            channel.close();
            throw e;
        }
    }

    private void end() throws Exception {
        OpenFile ended = open;
        open = null;
        ended.writer.close();
        ended.channel.close();
        written.add(new WrittenFile(ended.name, ended.rows, ended.channel.bytes));
    }

    @Override
    public Fragment finish() throws Exception {
        if (open != null) {
            end();
        }
        finished = true;
        return new Fragment(written);
    }

    @Override
    public void close() throws Exception {
        if (finished) {
            return;
        }
        try {
            if (open != null) {
                open.writer.close();
            }
        } catch (Exception _) {
            // The file is thrown away; why it could not be written to the end is told by whoever gave up on it.
        } finally {
            if (open != null) {
                open.channel.close();
                Files.deleteIfExists(folder.resolve(open.name));
            }
            for (WrittenFile file : written) {
                Files.deleteIfExists(folder.resolve(file.path()));
            }
        }
    }

    private static final class OpenFile {
        final String name;
        final Schema schema;
        final ToFile channel;
        final FileFormat.Writer writer;
        long rows;

        OpenFile(String name, Schema schema, ToFile channel, FileFormat.Writer writer) {
            this.name = name;
            this.schema = schema;
            this.channel = channel;
            this.writer = writer;
        }
    }

    /// Counts, and writes through to the disk at the end where a crash must not take the file.
    private static final class ToFile implements WritableByteChannel {
        private final FileChannel file;
        private final boolean durable;
        long bytes;

        ToFile(Path path, boolean durable) throws IOException {
            this.file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            this.durable = durable;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            int count = file.write(source);
            bytes += count;
            return count;
        }

        @Override
        public boolean isOpen() {
            return file.isOpen();
        }

        @Override
        public void close() throws IOException {
            if (file.isOpen()) {
                try (file) {
                    if (durable) {
                        file.force(true);
                    }
                }
            }
        }
    }
}
