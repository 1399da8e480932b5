package dev.millrace.internal.sink;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.commit.FolderCommit;
import dev.millrace.internal.commit.FolderTrees;
import dev.millrace.internal.commit.InterruptedCommits;
import dev.millrace.internal.commit.JobLock;
import dev.millrace.internal.commit.SuccessMarker;
import dev.millrace.internal.commit.TemporaryFolder;
import dev.millrace.internal.storage.LocalStorage;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.ResumableSink.Placement;
import dev.millrace.sink.Target;
import dev.millrace.sink.WriteJob;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// A local folder that jobs write to. Below `_temporary` each job has a folder for the files of all attempts (a folder
/// for each would double the cost of small tasks); beside it is the lock of the job's driver. The next job removes
/// folders of jobs whose driver is dead; those of resumable jobs have no lock and stay, as their files may be recorded
/// in a checkpoint. A commit in progress has its journal there (see [FolderCommit]).
///
/// ```
/// out/part-...                          committed
/// out/_SUCCESS                          there unless a commit is under way or was interrupted
/// out/_temporary/JOB.lock               held while the job's driver lives
/// out/_temporary/JOB/ATTEMPT-0.arrow    written, not committed
/// out/_temporary/JOB/old-0              to be deleted at the end of the commit
/// out/_temporary/JOB.commit             what the commit does
/// out/_temporary/JOB.resumable/...
/// out/_temporary/JOB.settled/...        done, of a resumable job that overwrites
/// ```
public final class LocalTarget implements Target {
    private static final System.Logger LOG = System.getLogger(LocalTarget.class.getName());
    private static final String RESUMABLE = ".resumable";
    private static final String SETTLED = ".settled";
    private static final int TRIES = 10;

    private final Path folder;
    private final List<String> endings;

    public LocalTarget(Path folder, List<String> endings) {
        this.folder = folder;
        this.endings = endings;
    }

    private Path temporary() {
        return TemporaryFolder.of(folder);
    }

    /// Where the job's attempts write.
    private Path temporary(WriteJob job) {
        return temporary().resolve(name(job));
    }

    private static String name(WriteJob job) {
        return job.id() + (job.resumable() ? RESUMABLE : "");
    }

    /// The finished but not yet visible files of a resumable job, under their final names.
    private Path settled(WriteJob job) {
        return temporary().resolve(job.id() + SETTLED);
    }

    private Path lock(String job) {
        return TemporaryFolder.lock(temporary(), job);
    }

    @Override
    public void requireFolder() {
        Path there = folder;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        if (there != null && !Files.isDirectory(there)) {
            throw MillraceException.user("'" + folder + "' cannot be written to: '" + there
                    + "' is a file, and a dataset is written as files in a folder.");
        }
        if (there != null && !Files.isWritable(there)) {
            throw MillraceException.user(
                    "'" + folder + "' cannot be written to: this program may not write to '" + there + "'.");
        }
    }

    @Override
    public boolean hasContents() {
        InterruptedCommits.finish(folder);
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.anyMatch(entry -> !isHidden(entry.getFileName()));
        } catch (IOException e) {
            throw failed("could not be listed", e);
        }
    }

    private static boolean isHidden(Path name) {
        return name.toString().startsWith("_") || name.toString().startsWith(".");
    }

    /// Creates the job's temporary folder and removes those of dead jobs.
    @Override
    public void prepare(WriteJob job) {
        InterruptedCommits.finish(folder);
        for (int i = 0; ; i++) {
            try {
                Files.createDirectories(temporary());
                TemporaryFolder.removeDead(temporary());
                if (!job.resumable()) {
                    JobLock.create(lock(job.id()));
                }
                Files.createDirectory(temporary(job));
                return;
            } catch (NoSuchFileException e) {
                // A job that ended at this moment has removed the empty folder of temporaries.
                if (i == TRIES) {
                    throw failed("could not be prepared", e);
                }
            } catch (IOException e) {
                throw failed("could not be prepared", e);
            }
        }
    }

    @Override
    public Optional<String> workFolder(WriteJob job) {
        return Optional.of(temporary(job).toAbsolutePath().toString());
    }

    /// Removes the job's temporary folder and lock, after an incomplete commit has been undone. A failure to remove is
    /// logged only: what was written counts.
    @Override
    public void discard(WriteJob job) {
        try {
            FolderCommit.undo(folder, name(job));
            for (int i = 0; i < TRIES && Files.exists(temporary(job)); i++) {
                try {
                    FolderTrees.delete(temporary(job));
                } catch (DirectoryNotEmptyException _) {
                    // A lost worker still writes; once its folder is removed it cannot create another.
                }
            }
            Files.deleteIfExists(lock(job.id()));
            TemporaryFolder.removeEmpty(temporary());
        } catch (NoSuchFileException _) {
            // Another job cleaned up at the same time.
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "'" + temporary(job) + "' could not be removed", e);
        } finally {
            release(job);
        }
    }

    private void release(WriteJob job) {
        try {
            JobLock.release(lock(job.id()));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "'" + lock(job.id()) + "' could not be closed", e);
        }
    }

    /// The job's folder exists as long as the job: afterwards, a lost worker's attempt fails here.
    @Override
    public OutputFile create(WriteJob job, String name, Allocator allocator) throws IOException {
        return new LocalFileOutput(temporary(job).resolve(name), job.resumable());
    }

    @Override
    public String path(WriteJob job, String reference) {
        return temporary(job).resolve(reference).toString();
    }

    @Override
    public void remove(WriteJob job, List<String> references) throws IOException {
        for (String reference : references) {
            Files.deleteIfExists(temporary(job).resolve(reference));
        }
    }

    /// Control characters first: some of them are invalid in a path.
    private static boolean isVisible(String name) {
        if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
            return false;
        }
        Path relative = LocalStorage.path(name);
        boolean odd = relative.isAbsolute() || !relative.equals(relative.normalize());
        for (Path part : relative) {
            odd |= isHidden(part);
        }
        return !odd;
    }

    @Override
    public void requireName(WriteJob job, String name, boolean mayReplace) {
        if (!isVisible(name)) {
            throw MillraceException.user("'" + name + "' is no name for a file in '" + folder
                    + "'. Names are relative, and neither they nor their folders begin with '_' or '.'.");
        }
        if (!mayReplace && !name.contains(job.id()) && Files.exists(folder.resolve(name))) {
            throw taken(folder.resolve(name));
        }
    }

    private static MillraceException taken(Path file) {
        return MillraceException.user(
                "'" + file + "' is there already. Give the files names that differ from job to job, or overwrite.");
    }

    @Override
    public void commit(WriteJob job, List<Placement> placements, boolean overwrite) {
        InterruptedCommits.finish(folder);
        try {
            FolderCommit.run(folder, name(job), () -> plan(job, placements, overwrite));
        } catch (FolderCommit.UndoFailed e) {
            throw failed(
                    "did not get all its new files, and the commit could not be undone; whoever reads or writes the"
                            + " folder next tries to",
                    e);
        } catch (IOException e) {
            throw failed("did not get its new files: the commit failed and was undone", e);
        }
        try {
            FolderTrees.delete(settled(job));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "'" + settled(job) + "' could not be removed", e);
        }
    }

    /// The planned changes: under the folder's lock, so that no other process changes the visible content.
    private FolderCommit.Change plan(WriteJob job, List<Placement> placements, boolean overwrite) throws IOException {
        Map<String, Path> arriving = new LinkedHashMap<>();
        Set<String> leaving = new LinkedHashSet<>();
        Set<Path> placed = new HashSet<>();
        for (Placement placement : placements) {
            requireOwn(placement);
            Path to = folder.resolve(placement.to());
            Path from = written(job, placement);
            if (Files.exists(from)) {
                if (Files.isDirectory(to)) {
                    throw MillraceException.user("'" + to + "' is a folder, and a file of this name is to be written."
                            + " Remove it, or name the files otherwise.");
                }
                if (Files.exists(to)) {
                    if (!overwrite) {
                        throw taken(to);
                    }
                    leaving.add(placement.to());
                }
                arriving.put(placement.to(), from);
            } else {
                requireSettled(from, to);
                placed.add(to);
            }
        }
        if (overwrite) {
            for (Iterator<StoredFile> all = new LocalStorage().walk(folder.toString()); all.hasNext(); ) {
                Path file = Path.of(all.next().path());
                if (isRead(file) && !placed.contains(file)) {
                    leaving.add(folder.relativize(file).toString());
                }
            }
        }
        return new FolderCommit.Change(arriving, leaving);
    }

    /// Placements may come from a checkpoint, and so from an untrusted source.
    private void requireOwn(Placement placement) {
        if (!isVisible(placement.to()) || !isVisible(placement.from())) {
            throw MillraceException.data("A checkpoint notes a file '" + placement.from() + "' for '" + placement.to()
                    + "', which is no file of '" + folder
                    + "'. Delete the checkpoint and what it wrote to start over.");
        }
    }

    /// Where a file of the job lies before the commit.
    private Path written(WriteJob job, Placement placement) {
        Path held = settled(job).resolve(placement.to());
        return job.resumable() && Files.exists(held) ? held : temporary(job).resolve(placement.from());
    }

    private static void requireSettled(Path from, Path to) {
        if (!Files.exists(to)) {
            throw MillraceException.data("'" + to + "' is missing, and so is '" + from
                    + "', from which it was to be made. Somebody removed them: delete the checkpoint and the"
                    + " output, and start again.");
        }
    }

    @Override
    public void settle(WriteJob job, List<Placement> placements, boolean held) {
        Set<Path> changed = new HashSet<>();
        try {
            if (!held && !placements.isEmpty()) {
                // Parts of the job are visible from now on.
                SuccessMarker.remove(folder);
            }
            for (Placement placement : placements) {
                requireOwn(placement);
                Path from = temporary(job).resolve(placement.from());
                Path to = (held ? settled(job) : folder).resolve(placement.to());
                if (Files.exists(from)) {
                    Files.createDirectories(to.getParent());
                    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
                } else {
                    // An interrupted commit may have moved it already.
                    requireSettled(from, Files.exists(to) ? to : folder.resolve(placement.to()));
                }
                changed.add(to.getParent());
            }
        } catch (IOException e) {
            throw failed("did not get all its new files; a new start of the job goes on from here", e);
        }
        changed.forEach(FolderTrees::force);
    }

    private boolean isRead(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return endings.stream().anyMatch(name::endsWith);
    }

    private MillraceException failed(String what, IOException e) {
        return new MillraceException(Culprit.RESOURCES, "'" + folder + "' " + what + ": " + e, e);
    }
}
