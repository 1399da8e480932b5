package dev.millrace.internal.sink;

import dev.millrace.sink.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file in a job's temporary folder, identified by its name there.
final class LocalFileOutput implements Target.OutputFile {
    private final Path path;
    private final FileChannel channel;
    private final boolean durable;

    /// @param durable synced at the end: it must survive a crash
    LocalFileOutput(Path path, boolean durable) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        this.durable = durable;
    }

    @Override
    public String reference() {
        return path.getFileName().toString();
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return channel.write(source);
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            try (channel) {
                if (durable) {
                    channel.force(true);
                }
            }
        }
    }

    @Override
    public void delete() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }
}
