package dev.millrace.internal.storage;

import dev.millrace.internal.commit.InterruptedCommits;
import dev.millrace.memory.Allocator;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.Storage;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// Files that the operating system mounts. Paths are its own, or `file:` URIs.
public final class LocalStorage implements Storage {
    @Override
    public List<String> schemes() {
        return List.of("file");
    }

    /// The path of the operating system.
    public static Path path(String text) {
        return text.toLowerCase(Locale.ROOT).startsWith("file:/") ? Path.of(URI.create(text)) : Path.of(text);
    }

    @Override
    public Optional<StoredFile> find(String text) throws IOException {
        Path path = path(text);
        if (!Files.exists(path)) {
            // It may be there as soon as a commit that was interrupted is finished.
            InterruptedCommits.finishAbove(path);
        }
        return Files.isRegularFile(path)
                ? Optional.of(new StoredFile(path.toString(), Files.size(path)))
                : Optional.empty();
    }

    @Override
    public boolean isFolder(String text) {
        return Files.isDirectory(path(text));
    }

    @Override
    public Iterator<StoredFile> walk(String folder) {
        return WholeListing.of(path(folder));
    }

    @Override
    public List<String> names(String folder, int most) throws IOException {
        try (Stream<Path> entries = Files.list(path(folder))) {
            return entries.map(entry -> entry.getFileName().toString())
                    .sorted()
                    .limit(most)
                    .toList();
        }
    }

    @Override
    public StoredFile current(StoredFile file) {
        try {
            return LocalVersion.of(path(file.path())).mark(file.path());
        } catch (IOException _) {
            // Whoever opens it says what is wrong.
            return file;
        }
    }

    @Override
    public RandomFile open(StoredFile file, Allocator allocator) throws IOException {
        return new LocalFile(file);
    }
}
