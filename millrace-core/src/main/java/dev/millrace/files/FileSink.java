package dev.millrace.files;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.sink.FileSinkWriter;
import dev.millrace.internal.sink.FolderPartitioning;
import dev.millrace.internal.sink.WriteTargets;
import dev.millrace.internal.wording.SecretText;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.FileNames;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.ResumableSink;
import dev.millrace.sink.SinkWriter;
import dev.millrace.sink.Target;
import dev.millrace.sink.WriteJob;
import dev.millrace.sink.WriteMode;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteSummary;
import dev.millrace.sink.WriteTask;
import dev.millrace.sink.WrittenFile;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Files of one format in one folder, which driver and workers must both reach. Tasks write where no read looks, and
/// the commit moves the files to their places (see [Target]): a file is either missing or complete. On local disks the
/// commit is journalled, and the next read or write of the folder by this library after a crash completes it first: it
/// is visible completely or not at all. The file `_SUCCESS` tells other readers that no commit is in progress.
///
/// @param folder absolute, or with its scheme
public record FileSink(String folder, FileFormat format, WriteOptions options) implements ResumableSink {
    /// Files of a format in a folder.
    public static FileSink to(String folder, FileFormat format, WriteOptions options) {
        return new FileSink(WriteTargets.normalize(folder), format, options);
    }

    private Target target() {
        return WriteTargets.open(folder, format.endings());
    }

    @Override
    public String name() {
        return format.name() + "(" + SecretText.hide(folder) + ")";
    }

    private boolean isOverwriting() {
        return options.mode() == WriteMode.OVERWRITE;
    }

    @Override
    public void check(Optional<Schema> schema) {
        schema.ifPresent(columns -> format.check(
                options.partitionBy().isEmpty()
                        ? columns
                        : FolderPartitioning.of(columns, options).files()));
    }

    @Override
    public long minRowsPerTask() {
        return options.minRowsPerFile();
    }

    @Override
    public boolean start(WriteJob job) {
        Target target = target();
        target.requireFolder();
        if (options.mode() == WriteMode.IGNORE && target.hasContents()) {
            return false;
        }
        if (options.mode() == WriteMode.ERROR && target.hasContents()) {
            throw MillraceException.user(
                    "'" + folder + "' is there already and is not empty, and the write mode is error."
                            + " Write to another folder, or append or overwrite.");
        }
        target.prepare(job);
        return true;
    }

    @Override
    public Optional<String> workFolder(WriteJob job) {
        return target().workFolder(job);
    }

    @Override
    public SinkWriter open(WriteTask task) throws Exception {
        return new FileSinkWriter(target(), task, format, options);
    }

    @Override
    public WriteSummary commit(WriteJob job, List<Fragment> fragments) {
        List<Placement> placements = new ArrayList<>();
        for (int task = 0; task < fragments.size(); task++) {
            placements.addAll(place(job, task, List.of(fragments.get(task))));
        }
        Set<String> names = new HashSet<>();
        for (Placement placement : placements) {
            if (!names.add(placement.to())) {
                throw MillraceException.user("The file names given to the write are not unique: '" + placement.to()
                        + "' came twice. Use the numbers of task and file in them.");
            }
        }
        return finish(job, placements);
    }

    @Override
    public void abort(WriteJob job) {
        target().discard(job);
    }

    @Override
    public List<Placement> place(WriteJob job, long task, List<Fragment> fragments) {
        List<Placement> placements = new ArrayList<>();
        for (Fragment fragment : fragments) {
            for (WrittenFile file : fragment.files()) {
                FileNames.Part part = new FileNames.Part(job.id(), task, placements.size(), format.extension());
                String name = file.name() == null ? options.names().name(part) : file.name();
                name = file.folder().isEmpty() ? name : file.folder() + "/" + name;
                target().requireName(job, name, isOverwriting());
                placements.add(new Placement(file.path(), name, file.rows(), file.bytes()));
            }
        }
        return placements;
    }

    @Override
    public void settle(WriteJob job, List<Placement> placements) {
        target().settle(job, placements, isOverwriting());
    }

    @Override
    public void resume(WriteJob job) {
        Target target = target();
        target.requireFolder();
        target.discard(job);
        target.prepare(job);
    }

    @Override
    public WriteSummary finish(WriteJob job, List<Placement> all) {
        Target target = target();
        target.commit(job, all, isOverwriting());
        target.discard(job);
        return summary(all, false);
    }

    @Override
    public WriteSummary summary(List<Placement> all, boolean skipped) {
        return new WriteSummary(
                all.stream().map(placement -> folder + "/" + placement.to()).toList(),
                all.stream().mapToLong(Placement::rows).sum(),
                all.stream().mapToLong(Placement::bytes).sum(),
                skipped);
    }
}
