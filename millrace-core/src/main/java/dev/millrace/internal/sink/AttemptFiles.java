package dev.millrace.internal.sink;

import dev.millrace.sink.FileFormat;
import dev.millrace.sink.Target;
import dev.millrace.sink.WriteTask;
import dev.millrace.sink.WrittenFile;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;

/// The files that one attempt of a task has begun and ended. One thread.
final class AttemptFiles {
    private final Target target;
    private final WriteTask task;
    private final FileFormat format;
    private final List<WrittenFile> written = new ArrayList<>();
    private final List<Target.OutputFile> ended = new ArrayList<>();
    private int begun;

    AttemptFiles(Target target, WriteTask task, FileFormat format) {
        this.target = target;
        this.task = task;
        this.format = format;
    }

    FileFormat format() {
        return format;
    }

    WriteTask task() {
        return task;
    }

    /// The complete files.
    List<WrittenFile> written() {
        return written;
    }

    Open begin(Schema schema, String folder) throws Exception {
        format.check(schema);
        String name = task.attempt() + "-" + begun++ + "." + format.extension();
        Counting channel = new Counting(target.create(task.job(), name, task.allocator()));
        try {
            return new Open(schema, folder, channel, format.open(channel, schema, task.allocator()));
        } catch (Exception e) {
            channel.file.delete();
            throw e;
        }
    }

    void end(Open open) throws Exception {
        boolean complete = false;
        String name;
        try {
            name = open.writer.fileName();
            open.writer.close();
            open.channel.close();
            complete = true;
        } finally {
            if (!complete) {
                open.channel.file.delete();
            }
        }
        written.add(new WrittenFile(open.channel.file.reference(), open.folder, name, open.rows, open.channel.bytes));
        ended.add(open.channel.file);
    }

    /// Frees what an open file holds and removes it.
    static void abandon(Open open) throws IOException {
        try {
            open.writer.close();
        } catch (Exception _) {
            // The file is discarded; the caller reports why it could not be completed.
        } finally {
            open.channel.file.delete();
        }
    }

    /// Removes the complete ones, too.
    void deleteAll() throws IOException {
        for (Target.OutputFile file : ended) {
            file.delete();
        }
    }

    /// A file being written.
    static final class Open {
        final Schema schema;
        final String folder;
        final Counting channel;
        final FileFormat.Writer writer;
        long rows;

        Open(Schema schema, String folder, Counting channel, FileFormat.Writer writer) {
            this.schema = schema;
            this.folder = folder;
            this.channel = channel;
            this.writer = writer;
        }

        /// Its approximate size if it were ended now.
        long bytes() {
            return channel.bytes + writer.heldBytes();
        }
    }

    static final class Counting implements WritableByteChannel {
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
