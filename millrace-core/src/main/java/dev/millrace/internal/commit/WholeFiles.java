package dev.millrace.internal.commit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/// Files that are there as a whole or not at all: written beside their place under a name that nobody else has, then
/// put there. Until then, and where this fails, what was there stays. Of several that write one file at once, the last
/// to finish wins.
public final class WholeFiles {
    private WholeFiles() {}

    /// Writes a file that is not there yet.
    @FunctionalInterface
    public interface Content<R> {
        R writeTo(Path path) throws IOException;
    }

    public static void write(Path file, String text) throws IOException {
        write(file, path -> Files.writeString(path, text, StandardOpenOption.CREATE_NEW));
    }

    /// @return what the content answers
    public static <R> R write(Path file, Content<R> content) throws IOException {
        Path unnamed = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
        R answer;
        try {
            answer = content.writeTo(unnamed);
            try (FileChannel channel = FileChannel.open(unnamed, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(unnamed, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(unnamed);
        }
        FolderTrees.force(file.toAbsolutePath().getParent());
        return answer;
    }
}
