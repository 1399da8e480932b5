package dev.millrace.internal.commit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.UUID;

/// Atomic file writes: a file is written beside its place under a unique name, then renamed. Until then, and if this
/// fails, the previous file stays. Of several concurrent writers, the last to finish wins.
public final class WholeFiles {
    private WholeFiles() {}

    /// Writes a file that does not exist yet.
    @FunctionalInterface
    public interface Content<R> {
        R writeTo(Path path) throws IOException;
    }

    public static void write(Path file, String text) throws IOException {
        write(file, path -> Files.writeString(path, text, StandardOpenOption.CREATE_NEW));
    }

    /// @return the result of the content
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
        FolderTrees.force(Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file lies in a folder"));
        return answer;
    }
}
