package dev.millrace.internal.commit;

import dev.millrace.internal.commit.CommitJournal.Arriving;
import dev.millrace.internal.commit.CommitJournal.Leaving;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Applies one commit to its folder, under the folder's [CommitLock]. Every step checks the current state and changes
/// one thing, so that the whole sequence can be repeated after a crash between any two: a file that has left its place
/// is where it belongs.
///
/// New files are added first, then the old ones are removed, each by a rename; the old ones are deleted when the commit
/// has ended. So any failure can be rolled back, and a reader that does not know journals finds old rows or both, never
/// neither.
public final class FolderCommit {
    private static final System.Logger LOG = System.getLogger(FolderCommit.class.getName());
    private static final Duration MAX_WAIT = Duration.ofMinutes(10);

    private final Path folder;
    private final Path temporary;
    private final CommitJournal journal;
    /// Where old files are until the end, by their names in the folder.
    private final Map<String, Path> asides = new HashMap<>();
    /// Folders that were verified to be inside the folder itself.
    private final Set<Path> inside = new HashSet<>();

    /// @param arriving by their names in the folder: where they are now, in its [TemporaryFolder]
    /// @param leaving names of files that are removed, or replaced by arriving ones
    public record Change(Map<String, Path> arriving, Set<String> leaving) {}

    /// Determines what is to change.
    @FunctionalInterface
    public interface Plan {
        Change make() throws IOException;
    }

    /// Changes a folder atomically.
    ///
    /// @param job the name of the job's folder in the [TemporaryFolder]
    /// @param plan called when no other process changes the folder
    /// @throws IOException the folder is as it was; [UndoFailed] if it is not
    public static void run(Path folder, String job, Plan plan) throws IOException {
        Path temporary = TemporaryFolder.of(folder);
        try (CommitLock _ = CommitLock.hold(temporary, MAX_WAIT)) {
            InterruptedCommits.finishAll(folder, temporary);
            Change change = plan.make();
            List<Arriving> arriving = new ArrayList<>();
            change.arriving.forEach((to, from) ->
                    arriving.add(new Arriving(temporary.relativize(from).toString(), to)));
            List<Leaving> leaving = new ArrayList<>();
            change.leaving.forEach(file -> leaving.add(new Leaving(file, job + "/old-" + leaving.size())));
            new FolderCommit(folder, new CommitJournal(job, false, SuccessMarker.isSet(folder), arriving, leaving))
                    .run();
        }
    }

    /// Rolls back what [#run] left unfinished; does nothing if there is none.
    public static void undo(Path folder, String job) throws IOException {
        Path temporary = TemporaryFolder.of(folder);
        if (!CommitJournal.isOf(temporary, job)) {
            return;
        }
        try (CommitLock _ = CommitLock.hold(temporary, MAX_WAIT)) {
            for (Path file : CommitJournal.in(temporary)) {
                CommitJournal journal = CommitJournal.read(file);
                if (journal.job().equals(job)) {
                    new FolderCommit(folder, journal.undoing(temporary)).undo();
                }
            }
        }
    }

    FolderCommit(Path folder, CommitJournal journal) {
        this.folder = folder;
        this.temporary = TemporaryFolder.of(folder);
        this.journal = journal;
        journal.leaving().forEach(each -> asides.put(each.file(), temporary.resolve(each.aside())));
    }

    /// Writes the journal and applies the commit.
    private void run() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Arriving each : journal.arriving()) {
            files.add(temporary.resolve(each.from()));
        }
        CommitSteps.reached("begun");
        FileSync.files(files);
        Set<Path> folders = new HashSet<>(Set.of(folder, temporary));
        for (Path file : files) {
            folders.add(file.getParent());
        }
        if (folder.getParent() != null) {
            folders.add(folder.getParent());
        }
        FileSync.folders(folders);
        CommitSteps.reached("synced");
        journal.write(temporary);
        finish();
    }

    /// Applies the journal.
    void finish() throws IOException {
        if (journal.undo()) {
            undo();
            return;
        }
        try {
            redo();
        } catch (IOException e) {
            try {
                new FolderCommit(folder, journal.undoing(temporary)).undo();
            } catch (IOException second) {
                e.addSuppressed(second);
                throw new UndoFailed(e);
            }
            throw e;
        }
    }

    /// A commit that failed and could not be rolled back; its journal stays, for the next process.
    public static final class UndoFailed extends IOException {
        private static final long serialVersionUID = 1L;

        UndoFailed(IOException cause) {
            super(cause.getMessage(), cause);
        }

        /// Reads as the failure itself: this type is for the code that asks whether it was undone.
        @Override
        @SuppressWarnings("OverrideThrowableToString") // the message is the cause's, and so is the class to name
        public String toString() {
            return String.valueOf(getCause());
        }
    }

    private void redo() throws IOException {
        CommitSteps.reached("noted");
        SuccessMarker.remove(folder);
        CommitSteps.reached("unmarked");
        for (Arriving each : journal.arriving()) {
            arrive(temporary.resolve(each.from()), each.to());
        }
        for (Leaving each : journal.leaving()) {
            Path file = folder.resolve(each.file());
            Path aside = temporary.resolve(each.aside());
            if (isThere(file) && !isThere(aside)) {
                requireInside(above(file));
                move(file, aside);
                CommitSteps.reached("set aside");
            }
        }
        FileSync.folders(changed());
        CommitSteps.reached("places synced");
        SuccessMarker.set(folder);
        CommitSteps.reached("marked");
        journal.delete(temporary);
        FolderTrees.force(temporary);
        CommitSteps.reached("ended");
        deleteOld();
    }

    /// The commit has ended: what cannot be deleted now is deleted with the job's folder, or with the leftovers of dead
    /// jobs.
    private void deleteOld() {
        for (Leaving each : journal.leaving()) {
            try {
                Files.deleteIfExists(temporary.resolve(each.aside()));
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, "'" + temporary.resolve(each.aside()) + "' is left over", e);
            }
            CommitSteps.reached("old file deleted");
        }
    }

    private void arrive(Path from, String name) throws IOException {
        Path to = folder.resolve(name);
        if (!isThere(from)) {
            // It is in its place. If it is not, another program has removed it since.
            return;
        }
        Files.createDirectories(above(to));
        requireInside(above(to));
        CommitSteps.reached("folder made");
        Path aside = asides.get(name);
        if (aside != null && isThere(to) && !isThere(aside)) {
            move(to, aside);
            CommitSteps.reached("replaced file set aside");
        }
        move(from, to);
        CommitSteps.reached("placed");
    }

    private void undo() throws IOException {
        CommitSteps.reached("undo noted");
        for (Arriving each : journal.arriving()) {
            Path from = temporary.resolve(each.from());
            Path to = folder.resolve(each.to());
            if (!isThere(from) && isThere(to)) {
                requireInside(above(to));
                move(to, from);
                CommitSteps.reached("taken back");
            }
        }
        for (Leaving each : journal.leaving()) {
            Path aside = temporary.resolve(each.aside());
            if (isThere(aside)) {
                Path file = folder.resolve(each.file());
                Files.createDirectories(above(file));
                requireInside(above(file));
                move(aside, file);
                CommitSteps.reached("brought back");
            }
        }
        for (Arriving each : journal.arriving()) {
            removeEmpty(above(folder.resolve(each.to())));
        }
        FileSync.folders(changed());
        if (journal.marked()) {
            SuccessMarker.set(folder);
        }
        journal.delete(temporary);
        FolderTrees.force(temporary);
        CommitSteps.reached("undone");
    }

    /// Removes folders that were created for new files, as far as that is known.
    private void removeEmpty(Path made) throws IOException {
        for (Path each = made;
                each != null && !each.equals(folder) && Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS);
                each = each.getParent()) {
            try {
                Files.deleteIfExists(each);
            } catch (DirectoryNotEmptyException _) {
                return;
            }
        }
    }

    /// All folders whose entries changed.
    private Set<Path> changed() {
        Set<Path> folders = new HashSet<>(Set.of(folder));
        journal.arriving().forEach(each -> addAbove(folder.resolve(each.to()), folders));
        journal.leaving().forEach(each -> addAbove(folder.resolve(each.file()), folders));
        return folders;
    }

    /// Up to the first known folder, which the folder itself is from the beginning.
    private static void addAbove(Path file, Set<Path> folders) {
        Path above = file.getParent();
        while (above != null && folders.add(above)) {
            above = above.getParent();
        }
    }

    /// A link among the folders of a name could lead to other files.
    private static Path above(Path file) {
        return Objects.requireNonNull(file.getParent(), "a file of a commit lies in its folder");
    }

    private void requireInside(Path parent) throws IOException {
        if (inside.add(parent) && !parent.toRealPath().startsWith(folder.toRealPath())) {
            inside.remove(parent);
            throw new IOException("'" + parent + "' is a link that leads out of '" + folder + "'");
        }
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean isThere(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }
}
