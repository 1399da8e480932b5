package dev.millrace.internal.source;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/// The wanted files below a folder, to the bottom, one folder at a time, each in the order of its names. Names that
/// begin
/// with `.` or `_` are left out.
final class FolderWalk implements Iterator<Path> {
    private final Predicate<Path> wanted;
    private final BiFunction<Path, IOException, RuntimeException> failure;
    /// What is left to visit, the next first.
    private final Deque<Path> todo = new ArrayDeque<>();

    private Path next;

    FolderWalk(Path base, Predicate<Path> wanted, BiFunction<Path, IOException, RuntimeException> failure) {
        this.wanted = wanted;
        this.failure = failure;
        enter(base);
    }

    private void enter(Path folder) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path entry : all) {
                if (!isHidden(entry.getFileName().toString())) {
                    entries.add(entry);
                }
            }
        } catch (IOException e) {
            throw failure.apply(folder, e);
        }
        Collections.sort(entries);
        for (Path entry : entries.reversed()) {
            todo.addFirst(entry);
        }
    }

    private static boolean isHidden(String name) {
        return name.startsWith("_") || name.startsWith(".");
    }

    @Override
    public boolean hasNext() {
        while (next == null && !todo.isEmpty()) {
            Path entry = todo.removeFirst();
            if (wanted.test(entry) && Files.isRegularFile(entry)) {
                next = entry;
            } else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                // Links to folders are not followed: they may lead in circles.
                enter(entry);
            }
        }
        return next != null;
    }

    @Override
    public Path next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Path found = next;
        next = null;
        return found;
    }
}
