package dev.millrace.internal.commit;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/// Commits that others have begun: one of a living process is waited for, one of a dead process is ended. Whoever lists
/// or writes to a folder asks here first, and sees all of a commit or nothing.
public final class InterruptedCommits {
    private static final System.Logger LOG = System.getLogger(InterruptedCommits.class.getName());
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private InterruptedCommits() {}

    /// The folder shows whole commits when this returns.
    ///
    /// @return true if there was one: what was listed before is old
    /// @throws MillraceException culprit RESOURCES, if one goes on for too long or cannot be ended from here
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
                    // Somebody has just ended it.
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

    /// The same for the folders above a path, where a commit that is to make it would have its journal.
    ///
    /// @return true if there was one
    public static boolean finishAbove(Path path) {
        boolean any = false;
        for (Path above = path.toAbsolutePath().normalize().getParent(); above != null; above = above.getParent()) {
            any |= finish(above);
        }
        return any;
    }

    /// Under the folder's lock: nobody is at work on what is noted.
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

    private static MillraceException failed(Path folder, IOException e) {
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
