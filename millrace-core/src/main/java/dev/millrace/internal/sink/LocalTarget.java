package dev.millrace.internal.sink;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.ResumableSink.Placement;
import dev.millrace.sink.Target;
import dev.millrace.sink.WriteJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/// A folder of this machine that jobs write to. Below `_temporary` each job has a folder for the files of all attempts
/// (a folder for
/// each
/// would double the cost of small tasks); beside it lies the lock of the job's driver. Folders of jobs whose driver is
/// dead are removed by the next job; those of resumable jobs
/// have no lock and stay, as their files may be noted in a checkpoint.
///
/// ```
/// out/part-...                          committed
/// out/_temporary/JOB.lock               held while the job's driver lives
/// out/_temporary/JOB/ATTEMPT-0.arrow    written, not committed
/// out/_temporary/JOB.resumable/...
/// ```
public final class LocalTarget implements Target {
    private static final System.Logger LOG = System.getLogger(LocalTarget.class.getName());
    private static final String TEMPORARY = "_temporary";
    private static final String LOCK = ".lock";
    private static final String RESUMABLE = ".resumable";
    private static final int TRIES = 10;

    private final Path folder;
    private final List<String> endings;

    public LocalTarget(Path folder, List<String> endings) {
        this.folder = folder;
        this.endings = endings;
    }

    private Path temporary() {
        return folder.resolve(TEMPORARY);
    }

    /// Where the job's attempts write.
    private Path temporary(WriteJob job) {
        return temporary().resolve(job.id() + (job.resumable() ? RESUMABLE : ""));
    }

    private Path lock(String job) {
        return temporary().resolve(job + LOCK);
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

    /// Makes the job's temporary folder and removes those of dead jobs.
    @Override
    public void prepare(WriteJob job) {
        for (int i = 0; ; i++) {
            try {
                Files.createDirectories(temporary());
                removeDead();
                if (!job.resumable()) {
                    JobLock.create(lock(job.id()));
                }
                Files.createDirectory(temporary(job));
                return;
            } catch (NoSuchFileException e) {
                // A job that ended at this moment took the empty folder of temporaries along.
                if (i == TRIES) {
                    throw failed("could not be prepared", e);
                }
            } catch (IOException e) {
                throw failed("could not be prepared", e);
            }
        }
    }

    private void removeDead() throws IOException {
        List<String> names;
        try (Stream<Path> entries = Files.list(temporary())) {
            names = entries.map(entry -> entry.getFileName().toString()).toList();
        }
        for (String name : names) {
            if (name.endsWith(LOCK)) {
                String job = name.substring(0, name.length() - LOCK.length());
                if (JobLock.hold(lock(job))) {
                    Trees.delete(temporary().resolve(job));
                    Files.deleteIfExists(lock(job));
                    JobLock.release(lock(job));
                }
            }
        }
    }

    /// Removes the job's temporary folder and lock. Something that cannot be removed is logged: what was written
    /// counts.
    @Override
    public void discard(WriteJob job) {
        try {
            for (int i = 0; i < TRIES && Files.exists(temporary(job)); i++) {
                try {
                    Trees.delete(temporary(job));
                } catch (java.nio.file.DirectoryNotEmptyException _) {
                    // A lost worker still writes; once its folder is gone it cannot make another.
                }
            }
            Files.deleteIfExists(lock(job.id()));
            JobLock.release(lock(job.id()));
            if (Files.isDirectory(temporary())) {
                try (Stream<Path> entries = Files.list(temporary())) {
                    if (entries.findAny().isPresent()) {
                        return;
                    }
                }
                Files.deleteIfExists(temporary());
            }
        } catch (java.nio.file.DirectoryNotEmptyException | NoSuchFileException _) {
            // Another job began, or tidied up too.
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "'" + temporary(job) + "' could not be removed", e);
        }
    }

    /// The job's folder is there as long as the job: after it, a lost worker's attempt ends here.
    @Override
    public OutputFile create(WriteJob job, String name, Allocator allocator) throws IOException {
        return new LocalOutput(temporary(job).resolve(name), job.resumable());
    }

    /// Control characters first: some of them make no path at all.
    private static boolean isVisible(String name) {
        if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
            return false;
        }
        Path relative = Path.of(name);
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
            throw MillraceException.user("'" + folder.resolve(name) + "' is there already. Give the files names that"
                    + " differ from job to job, or overwrite.");
        }
    }

    @Override
    public void moveAll(WriteJob job, List<Placement> placements) {
        List<Path> moved = new ArrayList<>();
        try {
            for (Placement placement : placements) {
                Path to = folder.resolve(placement.to());
                Files.createDirectories(to.getParent());
                Files.move(temporary(job).resolve(placement.from()), to, StandardCopyOption.ATOMIC_MOVE);
                moved.add(to);
            }
        } catch (IOException e) {
            for (Path file : moved) {
                try {
                    Files.deleteIfExists(file);
                } catch (IOException second) {
                    e.addSuppressed(second);
                }
            }
            throw failed("did not get its new files: the commit failed and was undone", e);
        }
    }

    @Override
    public void settle(WriteJob job, List<Placement> placements) {
        Set<Path> changed = new HashSet<>();
        try {
            for (Placement placement : placements) {
                Path from = temporary(job).resolve(placement.from());
                Path to = folder.resolve(placement.to());
                if (Files.exists(from)) {
                    Files.createDirectories(to.getParent());
                    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
                } else if (!Files.exists(to)) {
                    throw MillraceException.data("'" + to + "' is missing, and so is '" + from
                            + "', from which it was to be made. Somebody removed them: delete the checkpoint and the"
                            + " output, and start again.");
                }
                changed.add(to.getParent());
            }
        } catch (IOException e) {
            throw failed("did not get all its new files; a new start of the job goes on from here", e);
        }
        changed.forEach(Trees::force);
    }

    @Override
    public void deleteAllBut(List<Placement> kept) {
        Set<Path> names = new HashSet<>();
        kept.forEach(placement -> names.add(folder.resolve(placement.to())));
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(this::isRead)
                    .filter(file -> !names.contains(file))
                    .toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw failed("has its new files, but the old ones could not all be deleted", e);
        }
    }

    private boolean isRead(Path file) {
        for (Path part : folder.relativize(file)) {
            if (isHidden(part)) {
                return false;
            }
        }
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return Files.isRegularFile(file) && endings.stream().anyMatch(name::endsWith);
    }

    private MillraceException failed(String what, IOException e) {
        return new MillraceException(Culprit.RESOURCES, "'" + folder + "' " + what + ": " + e, e);
    }
}
