package dev.millrace.internal.commit;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The folder `_temporary` of a folder that jobs write to: a folder for the files of each job and, beside it, the lock
/// of the job's driver. Reads skip it.
public final class TemporaryFolder {
    private static final String NAME = "_temporary";
    private static final String LOCK = ".lock";

    private TemporaryFolder() {}

    public static Path of(Path folder) {
        return folder.resolve(NAME);
    }

    /// True for the name of such a folder.
    public static boolean isName(String name) {
        return name.equals(NAME);
    }

    /// @param job the name of its folder
    public static Path lock(Path temporary, String job) {
        return temporary.resolve(job + LOCK);
    }

    /// Removes the leftovers of jobs whose driver is dead, except commits to be completed.
    public static void removeDead(Path temporary) throws IOException {
        List<String> names;
        try (Stream<Path> entries = Files.list(temporary)) {
            names = entries.map(entry -> entry.getFileName().toString()).toList();
        } catch (NoSuchFileException _) {
            return;
        }
        try {
            for (String name : names) {
                if (name.endsWith(LOCK)) {
                    removeIfDead(temporary, name);
                }
            }
        } catch (NoSuchFileException _) {
            // Another process that cleans up here has removed the last of it, and the folder.
        }
    }

    private static void removeIfDead(Path temporary, String name) throws IOException {
        String job = name.substring(0, name.length() - LOCK.length());
        Path lock = temporary.resolve(name);
        if (JobLock.hold(lock)) {
            try {
                if (!CommitJournal.isOf(temporary, job)) {
                    FolderTrees.delete(temporary.resolve(job));
                    Files.deleteIfExists(lock);
                }
            } finally {
                JobLock.release(lock);
            }
        }
    }

    /// Removes the folder itself if nothing is in it.
    public static void removeEmpty(Path temporary) throws IOException {
        try {
            Files.deleteIfExists(temporary);
        } catch (DirectoryNotEmptyException _) {
            // Another job uses it.
        }
    }
}
