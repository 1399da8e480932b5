package dev.millrace.internal.storage;

import dev.millrace.internal.commit.CommitStamp;
import dev.millrace.internal.commit.InterruptedCommits;
import dev.millrace.internal.commit.TemporaryFolder;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The files below a folder, to the bottom, one folder at a time, each in the order of its names. Names that begin with
/// `.` or `_` are left out. A commit to a folder that is under way when the walk comes to it has ended before it is
/// listed.
final class FolderWalk implements Iterator<StoredFile> {
    /// A folder that is committed to all the time is listed as it happens to be.
    static final int TRIES = 20;

    /// What is left to visit, the next first.
    private final Deque<Path> todo = new ArrayDeque<>();

    private @Nullable StoredFile next;

    FolderWalk(Path base) {
        for (Path above = base.toAbsolutePath().normalize().getParent(); above != null; above = above.getParent()) {
            // A commit to a folder above has its journal there.
            int tries = 0;
            do {
                stamp(above);
            } while (InterruptedCommits.finish(above) && ++tries < TRIES);
        }
        enter(base);
    }

    /// What commits had been made to the folders when they were listed; null: nobody will ask.
    private @Nullable Map<Path, CommitStamp> stamps = new HashMap<>();

    /// The rest is listed as it comes.
    FolderWalk watchNoMore() {
        stamps = null;
        return this;
    }

    /// True if no commit has begun to change a folder since it was listed.
    boolean isUnchanged() {
        return Objects.requireNonNull(stamps, "asked after watchNoMore").entrySet().stream()
                .noneMatch(seen -> seen.getValue().isOver(seen.getKey()));
    }

    private void stamp(Path folder) {
        if (stamps != null) {
            stamps.put(folder, CommitStamp.of(folder));
        }
    }

    /// The stamp comes first: a commit that began before it is waited for, one that begins after it shows.
    private void enter(Path folder) {
        List<Path> entries = new ArrayList<>();
        for (int i = 0; i < TRIES; i++) {
            entries.clear();
            stamp(folder);
            if (!list(folder, entries) || !InterruptedCommits.finish(folder)) {
                break;
            }
        }
        Collections.sort(entries);
        for (Path entry : entries.reversed()) {
            todo.addFirst(entry);
        }
    }

    /// @return true if jobs write to the folder, or did
    private static boolean list(Path folder, List<Path> entries) {
        boolean written = false;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path entry : all) {
                String name = entry.getFileName().toString();
                written |= TemporaryFolder.isName(name);
                if (!isHidden(name)) {
                    entries.add(entry);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("'" + folder + "' could not be listed: " + e, e);
        }
        return written;
    }

    private static boolean isHidden(String name) {
        return name.startsWith("_") || name.startsWith(".");
    }

    @Override
    public boolean hasNext() {
        while (next == null && !todo.isEmpty()) {
            visit(todo.removeFirst());
        }
        return next != null;
    }

    private void visit(Path entry) {
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(entry, BasicFileAttributes.class);
        } catch (IOException _) {
            // A link that leads nowhere, or a file that somebody has just removed.
            return;
        }
        if (attributes.isRegularFile()) {
            next = new StoredFile(entry.toString(), attributes.size());
        } else if (attributes.isDirectory() && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
            // Links to folders are not followed: they may lead in circles.
            enter(entry);
        }
    }

    @Override
    public StoredFile next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        StoredFile found = Objects.requireNonNull(next, "hasNext has found one");
        next = null;
        return found;
    }
}
