package dev.millrace.internal.sink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/// Small files that are there as a whole or not at all.
public final class WholeFiles {
    private WholeFiles() {}

    /// Writes a text beside the file's place and puts it there: until then, and where this fails, what was there stays.
    public static void write(Path file, String text) throws IOException {
        Path unnamed = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            try (FileChannel channel =
                    FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(unnamed, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unnamed);
        }
        Trees.force(file.toAbsolutePath().getParent());
    }
}
