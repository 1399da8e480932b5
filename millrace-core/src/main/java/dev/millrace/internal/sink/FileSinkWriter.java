package dev.millrace.internal.sink;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.MillraceException;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.SinkWriter;
import dev.millrace.sink.Target;
import dev.millrace.sink.WriteTask;
import dev.millrace.sink.WrittenFile;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;

/// The files of one attempt, named after it. A file begins when the one before has its rows, or when a chunk comes
/// whose
/// columns do not fit the open one.
public final class FileSinkWriter implements SinkWriter {
    private final Target target;
    private final WriteTask task;
    private final FileFormat format;
    private final long maxRows;
    private final List<WrittenFile> written = new ArrayList<>();
    private final List<Target.OutputFile> files = new ArrayList<>();
    private OpenFile open;
    private boolean finished;

    public FileSinkWriter(Target target, WriteTask task, FileFormat format, long maxRows) {
        this.target = target;
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
        String name = task.attempt() + "-" + written.size() + "." + format.extension();
        Counting channel = new Counting(target.create(task.job(), name, task.allocator()));
        try {
            return new OpenFile(schema, channel, format.open(channel, schema, task.allocator()));
        } catch (Exception e) {
            channel.file.delete();
            throw e;
        }
    }

    private void end() throws Exception {
        OpenFile ended = open;
        open = null;
        boolean complete = false;
        try {
            ended.writer.close();
            ended.channel.close();
            complete = true;
        } finally {
            if (!complete) {
                ended.channel.file.delete();
            }
        }
        written.add(new WrittenFile(ended.channel.file.reference(), ended.rows, ended.channel.bytes));
        files.add(ended.channel.file);
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
                open.channel.file.delete();
            }
            for (Target.OutputFile file : files) {
                file.delete();
            }
        }
    }

    private static final class OpenFile {
        final Schema schema;
        final Counting channel;
        final FileFormat.Writer writer;
        long rows;

        OpenFile(Schema schema, Counting channel, FileFormat.Writer writer) {
            this.schema = schema;
            this.channel = channel;
            this.writer = writer;
        }
    }

    /// Counts.
    private static final class Counting implements WritableByteChannel {
        final Target.OutputFile file;
        long bytes;

        Counting(Target.OutputFile file) {
            this.file = file;
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
            file.close();
        }
    }
}
