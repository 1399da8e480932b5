package dev.millrace.internal.s3;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.ResumableSink.Placement;
import dev.millrace.sink.Target;
import dev.millrace.sink.WriteJob;
import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/// A folder of a bucket. Attempts upload below `_temporary`; the commit copies inside the store and removes the
/// originals: an object appears whole or not at all, and its final key need not be known beforehand.
/// `designs/object-stores.md` gives the reasons for this design.
///
/// ```
/// out/part-...                            committed
/// out/_SUCCESS                            exists unless a commit is running or was interrupted
/// out/_temporary/JOB/.job                 exists as long as the job: without it nothing new is begun or ended
/// out/_temporary/JOB/ATTEMPT-0.parquet    written, not committed
/// out/_temporary/JOB.resumable/...
/// ```
///
/// There are no locks: what a dead job has left is removed by a job that begins a week later.
final class S3Target implements Target {
    private static final System.Logger LOG = System.getLogger(S3Target.class.getName());
    private static final String TEMPORARY = "_temporary/";
    private static final String RESUMABLE = ".resumable";
    private static final String MARK = ".job";
    private static final String SUCCESS = "_SUCCESS";
    private static final long DEAD_AFTER_DAYS = 7;
    private static final DateTimeFormatter DAY_AND_TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private final S3Path folder;
    private final String prefix;
    private final List<String> endings;
    private final S3Objects objects;

    S3Target(S3Path folder, List<String> endings) {
        this.folder = folder;
        this.prefix = folder.prefix();
        this.endings = endings;
        this.objects = new S3Objects(folder);
    }

    private String temporary(WriteJob job) {
        return prefix + TEMPORARY + job.id() + (job.resumable() ? RESUMABLE : "") + "/";
    }

    @Override
    public void requireFolder() {
        try {
            S3Listing.page(folder, prefix, null, null, 1);
        } catch (IOException e) {
            throw failed("cannot be written to", e);
        }
    }

    @Override
    public boolean hasContents() {
        try {
            String token = null;
            do {
                var page = S3Listing.page(folder, prefix, token, "/", S3Listing.PAGE);
                boolean any = page.contents().stream()
                                .anyMatch(object ->
                                        S3Listing.isVisible(object.key().substring(prefix.length())))
                        || page.commonPrefixes().stream()
                                .anyMatch(below -> S3Listing.isVisible(below.prefix()
                                        .substring(
                                                prefix.length(), below.prefix().length() - 1)));
                if (any) {
                    return true;
                }
                token = page.nextContinuationToken();
            } while (token != null);
            return false;
        } catch (IOException e) {
            throw failed("could not be listed", e);
        }
    }

    @Override
    public void prepare(WriteJob job) {
        try {
            objects.put(temporary(job) + MARK, new byte[0]);
        } catch (IOException e) {
            throw failed("could not be prepared", e);
        }
        try {
            removeDead();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "what old jobs left in '" + folder + "' could not be removed", e);
        }
    }

    private void removeDead() throws IOException {
        Instant limit = Instant.now().minus(DEAD_AFTER_DAYS, ChronoUnit.DAYS);
        String all = prefix + TEMPORARY;
        for (String name : objects.foldersIn(all)) {
            if (!name.endsWith(RESUMABLE) && began(name).isBefore(limit)) {
                remove(all + name + "/");
            }
        }
    }

    /// The start time encoded in a job id; far in the future if the name is not a job id.
    private static Instant began(String job) {
        int length = "yyyyMMdd-HHmmss".length();
        try {
            return LocalDateTime.parse(job.substring(0, Math.min(length, job.length())), DAY_AND_TIME)
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeParseException _) {
            return Instant.MAX;
        }
    }

    private void remove(String below) throws IOException {
        objects.abortUploads(below);
        objects.deleteBelow(below);
    }

    @Override
    public OutputFile create(WriteJob job, String name, Allocator allocator) throws IOException {
        S3Upload upload = new S3Upload(objects, temporary(job), name, MARK, allocator);
        upload.requireJob();
        return upload;
    }

    @Override
    public String path(WriteJob job, String reference) {
        return folder.sibling(temporary(job) + reference);
    }

    @Override
    public void remove(WriteJob job, List<String> references) throws IOException {
        objects.deleteAll(references.stream().map(each -> temporary(job) + each).toList());
    }

    @Override
    public void requireName(WriteJob job, String name, boolean mayReplace) {
        boolean odd = name.isBlank()
                || name.startsWith("/")
                || name.contains("//")
                || !S3Listing.isVisible(name)
                || name.chars().anyMatch(Character::isISOControl);
        if (odd) {
            throw MillraceException.user("'" + name + "' is no name for a file in '" + folder
                    + "'. Names are relative, and neither they nor their folders begin with '_' or '.'.");
        }
        if (mayReplace || name.contains(job.id())) {
            return;
        }
        S3Path path = S3Path.of(folder.sibling(prefix + name));
        try {
            if (S3Storage.head(path).isPresent()) {
                throw MillraceException.user("'" + path + "' is there already. Give the files names that differ from"
                        + " job to job, or overwrite.");
            }
        } catch (IOException e) {
            throw failed("could not be looked into", e);
        }
    }

    /// New objects are created before old ones are deleted, and the marker is absent meanwhile. A store has no renames
    /// and no locks: if a driver dies in between, the missing marker is the only sign of it.
    @Override
    public void commit(WriteJob job, List<Placement> placements, boolean overwrite) {
        List<String> made = Collections.synchronizedList(new ArrayList<>());
        boolean marked = false;
        try {
            marked = objects.exists(prefix + SUCCESS);
            objects.delete(prefix + SUCCESS);
            objects.forEach(placements, placement -> {
                String to = prefix + placement.to();
                if (!job.resumable()) {
                    objects.copy(temporary(job) + placement.from(), to, placement.bytes());
                    made.add(to);
                } else if (!objects.exists(to)) {
                    settle(job, placement);
                }
            });
        } catch (IOException e) {
            undo(made, marked, e);
            throw failed("did not get its new files: the commit failed and was undone", e);
        }
        if (overwrite) {
            deleteAllBut(placements);
        }
        try {
            objects.put(prefix + SUCCESS, new byte[0]);
        } catch (IOException e) {
            throw failed("has its new files, but not the marker " + SUCCESS + " that says so", e);
        }
    }

    private void undo(List<String> made, boolean marked, IOException cause) {
        try {
            objects.deleteAll(made);
            if (marked) {
                objects.put(prefix + SUCCESS, new byte[0]);
            }
        } catch (IOException second) {
            cause.addSuppressed(second);
        }
    }

    /// Moves the objects to their final keys in any case: holding them back would cost a second copy of each.
    @Override
    public void settle(WriteJob job, List<Placement> placements, boolean held) {
        try {
            if (!placements.isEmpty()) {
                objects.delete(prefix + SUCCESS);
            }
            objects.forEach(placements, placement -> settle(job, placement));
        } catch (IOException e) {
            throw failed("did not get all its new files; a new start of the job goes on from here", e);
        }
    }

    /// After a crash between copy and removal, the same object is copied again, which has no effect.
    private void settle(WriteJob job, Placement placement) throws IOException {
        String from = temporary(job) + placement.from();
        String to = prefix + placement.to();
        if (objects.copy(from, to, placement.bytes())) {
            objects.delete(from);
        } else if (!objects.exists(to)) {
            throw MillraceException.data("'" + folder.sibling(to) + "' is missing, and so is '" + folder.sibling(from)
                    + "', from which it was to be made. Somebody removed them: delete the checkpoint and the output,"
                    + " and start again.");
        }
    }

    private void deleteAllBut(List<Placement> kept) {
        Set<String> names = new HashSet<>();
        kept.forEach(placement -> names.add(prefix + placement.to()));
        try {
            List<String> old = new ArrayList<>();
            for (Iterator<StoredFile> all = new S3Listing(folder); all.hasNext(); ) {
                String key = S3Path.of(all.next().path()).key();
                String name = key.toLowerCase(Locale.ROOT);
                if (!names.contains(key) && endings.stream().anyMatch(name::endsWith)) {
                    old.add(key);
                }
            }
            objects.deleteAll(old);
        } catch (IOException e) {
            throw failed("has its new files, but the old ones could not all be deleted", e);
        } catch (UncheckedIOException e) {
            throw failed(
                    "has its new files, but the old ones could not all be deleted",
                    Objects.requireNonNull(e.getCause()));
        }
    }

    @Override
    public void discard(WriteJob job) {
        try {
            // Delete the marker first: an attempt that completes an object from now on finds the marker gone and
            // removes its object.
            objects.delete(temporary(job) + MARK);
            remove(temporary(job));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "'" + folder.sibling(temporary(job)) + "' could not be removed", e);
        }
    }

    private MillraceException failed(String what, IOException e) {
        Culprit culprit = e instanceof LastingIOException
                        && Objects.requireNonNullElse(e.getMessage(), "").startsWith("there is no bucket")
                ? Culprit.USER
                : Culprit.RESOURCES;
        return new MillraceException(culprit, "'" + folder + "' " + what + ": " + e, e);
    }
}
