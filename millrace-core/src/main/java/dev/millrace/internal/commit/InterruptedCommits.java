package dev.millrace.internal.commit;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Commits that other processes have begun: waits for a living process, and completes the commit of a dead one. Called
/// before a folder is listed or written, so that all of a commit is visible or nothing.
public final class InterruptedCommits {
    private static final System.Logger LOG = System.getLogger(InterruptedCommits.class.getName());
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private InterruptedCommits() {}

    /// The folder shows only complete commits when this returns.
    ///
    /// @return true if there was one: an earlier listing is outdated
    /// @throws MillraceException culprit RESOURCES, if one takes too long or cannot be completed from here
    public static boolean finish(Path folder) {
        Path temporary = TemporaryFolder.of(folder);
        if (!Files.isDirectory(temporary)) {
            return false;
        }
        boolean any = false;
        IOException refused = null;
        long end = System.nanoTime() + MAX_WAIT.toNanos();
        try {
            while (!CommitJournal.in(temporary).isEmpty()) {
                any = true;
                try (CommitLock lock = CommitLock.tryHold(temporary)) {
                    if (lock != null) {
                        finishAll(folder, temporary);
                        continue;
                    }
                } catch (NoSuchFileException _) {
                    // Another process has just completed it.
                } catch (IOException e) {
                    refused = e;
                }
                if (System.nanoTime() > end) {
                    throw failed(folder, refused);
                }
                CommitLock.pause();
            }
            if (any) {
                TemporaryFolder.removeDead(temporary);
                TemporaryFolder.removeEmpty(temporary);
            }
            return any;
        } catch (IOException e) {
            throw failed(folder, e);
        }
    }

    /// The same for the folders above a path, where a commit that creates it would have its journal.
    ///
    /// @return true if there was one
    public static boolean finishAbove(Path path) {
        boolean any = false;
        for (Path above = path.toAbsolutePath().normalize().getParent(); above != null; above = above.getParent()) {
            any |= finish(above);
        }
        return any;
    }

    /// Under the folder's lock: no process is working on the journals.
    static void finishAll(Path folder, Path temporary) throws IOException {
        for (Path file : CommitJournal.in(temporary)) {
            CommitJournal journal = CommitJournal.read(file);
            try {
                new FolderCommit(folder, journal).finish();
                LOG.log(
                        System.Logger.Level.INFO,
                        "''{0}'': the commit of {1}, whose process had died, was {2}.",
                        folder,
                        journal.job(),
                        journal.undo() ? "undone" : "finished");
            } catch (FolderCommit.UndoFailed e) {
                throw failed(folder, e);
            } catch (IOException e) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "'" + folder + "': the commit of " + journal.job()
                                + ", whose process had died, could not be finished and was undone",
                        e);
            }
        }
    }

    private static MillraceException failed(Path folder, @Nullable IOException e) {
        return new MillraceException(
                Culprit.RESOURCES,
                e == null
                        ? "'" + folder + "' is being committed to by a running job, for more than "
                                + MAX_WAIT.toSeconds() + " s. Try again when it has ended."
                        : "'" + folder + "' has a commit that was interrupted, and it cannot be ended from here: " + e
                                + ". Let a program that may write to the folder read it once.",
                e);
    }
}
