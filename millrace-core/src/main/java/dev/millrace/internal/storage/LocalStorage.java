package dev.millrace.internal.storage;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.commit.InterruptedCommits;
import dev.millrace.memory.Allocator;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.Storage;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
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
        try {
            return text.toLowerCase(Locale.ROOT).startsWith("file:/") ? Path.of(URI.create(text)) : Path.of(text);
        } catch (InvalidPathException e) {
            throw invalid(e, System.getProperty("sun.jnu.encoding"));
        }
    }

    /// @param encoding that of the names of files, which Java takes from the locale
    static MillraceException invalid(InvalidPathException error, String encoding) {
        String hint = error.getReason().contains("unmappable")
                ? " The locale of this process gives names of files in " + encoding
                        + "; run it with one of UTF-8, for example LC_ALL=C.UTF-8."
                : "";
        return new MillraceException(
                Culprit.USER,
                "'" + error.getInput() + "' cannot be the name of a file: " + error.getReason() + "." + hint,
                error);
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
