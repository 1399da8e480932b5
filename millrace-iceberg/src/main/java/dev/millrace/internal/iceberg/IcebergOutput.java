package dev.millrace.internal.iceberg;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/// A local file that the library writes.
///
/// @param location as recorded in the table
public record IcebergOutput(String location, Path path) implements OutputFile {
    @Override
    public PositionOutputStream create() {
        return open(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
        return open(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
    }

    private PositionOutputStream open(OpenOption... options) {
        try {
            Files.createDirectories(path.getParent());
            return new Counted(new BufferedOutputStream(Files.newOutputStream(path, options)));
        } catch (FileAlreadyExistsException e) {
            throw new AlreadyExistsException(e, "File already exists: %s", location);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public InputFile toInputFile() {
        return new StorageInput(location, -1);
    }

    private static final class Counted extends PositionOutputStream {
        private final OutputStream out;
        private long position;

        Counted(OutputStream out) {
            this.out = out;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            position++;
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            out.write(bytes, from, count);
            position += count;
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
