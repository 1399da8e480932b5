package dev.millrace.internal.consume;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.checkpoint.CheckpointManifest;
import dev.millrace.internal.checkpoint.CheckpointPlan;
import dev.millrace.internal.checkpoint.CommitLog;
import dev.millrace.internal.checkpoint.SplitList;
import dev.millrace.internal.commit.JobLock;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.sink.FragmentBlock;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.Settings;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.ResumableSink;
import dev.millrace.sink.ResumableSink.Placement;
import dev.millrace.sink.Sink;
import dev.millrace.sink.WriteJob;
import dev.millrace.sink.WriteSummary;
import dev.millrace.source.SplitRequest;
import dev.millrace.stats.RunStats;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A write that a later process can resume. The unit is a split of the source: a log record of the checkpoint lists
/// what its tasks have written, which commits it, and then the files are renamed. If a process died between the two,
/// the next start finishes the renames; if it died before the record, there are only temporary files, and the split is
/// read again.
///
/// If read and write are one task, each fragment is a whole split, and order does not matter. Otherwise blocks are kept
/// in order and carry the split they come from ([dev.millrace.runtime.BlockRef#origin]): a split is complete when the
/// first fragment of a later one arrives.
public final class CheckpointedWriteRun {
    private static final System.Logger LOG = System.getLogger(CheckpointedWriteRun.class.getName());

    private final LogicalPlan plan;
    private final ResumableSink sink;
    private final Path folder;
    private final SessionExecutions executions;
    private final Settings settings;

    public CheckpointedWriteRun(
            LogicalPlan plan, Sink sink, String folder, SessionExecutions executions, Settings settings) {
        CheckpointPlan.require(plan);
        if (!(sink instanceof ResumableSink resumable)) {
            throw MillraceException.user("checkpoint: " + sink.name() + " cannot be written in parts, so a write to it"
                    + " cannot be resumed.");
        }
        if (sink.minRowsPerTask() > 1) {
            throw MillraceException.user("checkpoint: minRowsPerFile puts rows of several splits into one file, and a"
                    + " checkpoint commits split by split. Ask the read for fewer blocks instead.");
        }
        if (settings.faults().maxErroredBlocks() != 0) {
            throw MillraceException.user("checkpoint: with errored blocks tolerated (maxErroredBlocks "
                    + settings.faults().maxErroredBlocks() + ") a split could count as done that is not.");
        }
        this.plan = plan;
        this.sink = resumable;
        this.folder = Path.of(folder).toAbsolutePath().normalize();
        this.executions = executions;
        this.settings = settings;
    }

    public WriteSummary run(String name, Consumer<RunStats> ended) {
        sink.check(plan.schema());
        Path lock = folder.resolve("lock");
        try {
            if (Files.exists(folder) && !Files.isDirectory(folder)) {
                throw MillraceException.user("checkpoint: '" + folder + "' is a file. Give a folder.");
            }
            Files.createDirectories(folder);
            if (!JobLock.hold(lock)) {
                throw MillraceException.user("The checkpoint '" + folder + "' is in use by a running job.");
            }
            try {
                return holding(name, ended);
            } finally {
                JobLock.release(lock);
            }
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.RESOURCES, "The checkpoint folder '" + folder + "' cannot be used: " + e, e);
        }
    }

    private WriteSummary holding(String name, Consumer<RunStats> ended) {
        Optional<CheckpointManifest> before = CheckpointManifest.read(folder);
        WriteJob job = before.map(CheckpointManifest::job).orElseGet(() -> WriteJob.create(true));
        LogicalPlan writing = new LogicalPlan.Write(plan, sink, job, CallSite.here());
        PhysicalPlan planned = executions.planned(writing, settings);
        PhysicalPlan.Read read = CheckpointPlan.read(planned);
        SplitRequest request = before.map(CheckpointManifest::request).orElse(read.request());
        SplitList splits = SplitList.of(read.source(), request);
        CheckpointManifest now = new CheckpointManifest(
                job,
                sink.name(),
                CheckpointPlan.describe(plan),
                request,
                splits.size(),
                splits.fingerprint(),
                splits.fileStates());
        if (before.isPresent()) {
            before.get().require(now, folder);
        } else if (!sink.start(job)) {
            return WriteSummary.NOTHING;
        } else {
            begin(now);
        }
        try (CommitLog log = CommitLog.open(folder)) {
            if (log.isFinished()) {
                return finishedBefore(log);
            }
            if (before.isPresent()) {
                sink.settle(job, log.unsettled());
                log.settled();
                sink.resume(job);
            }
            Commits commits = new Commits(job, log, splits.without(log.done().keySet()), splits.size());
            return commits.run(writing, planned, splits, request, name, ended);
        }
    }

    private void begin(CheckpointManifest manifest) {
        try {
            manifest.write(folder);
        } catch (RuntimeException e) {
            sink.abort(manifest.job());
            throw e;
        }
    }

    private WriteSummary finishedBefore(CommitLog log) {
        LOG.log(System.Logger.Level.INFO, "Nothing to do: the checkpoint ''{0}'' is finished.", folder);
        return sink.summary(all(log), true);
    }

    private static List<Placement> all(CommitLog log) {
        return log.done().values().stream().flatMap(List::stream).toList();
    }

    /// The commits of one run.
    private final class Commits {
        private final WriteJob job;
        private final CommitLog log;
        /// Numbers of the splits to read, in the order of the run.
        private final List<Long> left;
        private final long total;
        /// Fragments of the current split, if a split has several.
        private final List<Fragment> pending = new ArrayList<>();
        private final Set<String> names = new HashSet<>();
        private int pendingSplit;
        private @Nullable Schema seen;

        Commits(WriteJob job, CommitLog log, List<Long> left, long total) {
            this.job = job;
            this.log = log;
            this.left = left;
            this.total = total;
            all(log).forEach(placement -> names.add(placement.to()));
        }

        WriteSummary run(
                LogicalPlan writing,
                PhysicalPlan planned,
                SplitList splits,
                SplitRequest request,
                String name,
                Consumer<RunStats> ended) {
            try {
                if (!left.isEmpty()) {
                    boolean fused = planned instanceof PhysicalPlan.Read;
                    Settings ordered = settings.with(settings.execution().withPreserveOrder(!fused));
                    PhysicalPlan rest = CheckpointPlan.over(planned, splits.only(left), request);
                    try (DatasetExecution execution = executions
                            .start(rest, writing, ordered, name, ended)
                            .attended()) {
                        collect(execution, fused);
                    }
                }
                return finish();
            } catch (RuntimeException | Error e) {
                // Logged files that are not in their place must stay; everything else of the job can be removed.
                if (log.unsettled().isEmpty()) {
                    sink.abort(job);
                }
                throw e;
            }
        }

        private void collect(DatasetExecution execution, boolean fused) {
            for (BlockSlice slice = execution.nextSlice(); slice != null; slice = execution.nextSlice()) {
                FragmentBlock.Output output;
                long split;
                try (Block block = execution.runtime().get(slice)) {
                    split = slice.block().origin();
                    output = FragmentBlock.read(block);
                } finally {
                    slice.release();
                }
                if (split < 0) {
                    throw MillraceException.internal("a fragment of a checkpointed write has no split");
                }
                seen = seen == null ? output.schema() : seen;
                if (fused) {
                    commit(new TreeMap<>(Map.of(left.get((int) split), List.of(output.fragment()))));
                } else {
                    later(Math.toIntExact(split), output.fragment());
                }
            }
            if (!fused) {
                commitBefore(left.size());
            }
        }

        private void later(int split, Fragment fragment) {
            commitBefore(split);
            pending.add(fragment);
        }

        /// All splits before this one are complete, including those without output.
        private void commitBefore(int split) {
            if (pendingSplit == split) {
                return;
            }
            NavigableMap<Long, List<Fragment>> complete = new TreeMap<>();
            for (int i = pendingSplit; i < split; i++) {
                complete.put(left.get(i), i == pendingSplit ? List.copyOf(pending) : List.of());
            }
            pending.clear();
            pendingSplit = split;
            commit(complete);
        }

        private void commit(NavigableMap<Long, List<Fragment>> complete) {
            NavigableMap<Long, List<Placement>> placed = new TreeMap<>();
            complete.forEach((split, fragments) -> placed.put(split, sink.place(job, split, fragments)));
            placed.values().stream().flatMap(List::stream).forEach(this::requireNew);
            log.done(placed);
            sink.settle(job, log.unsettled());
            log.settled();
        }

        private void requireNew(Placement placement) {
            if (!names.add(placement.to())) {
                throw MillraceException.user("The file names given to the write are not unique: '" + placement.to()
                        + "' came twice. Use the numbers of task and file in them.");
            }
        }

        private WriteSummary finish() {
            if (log.done().values().stream().allMatch(List::isEmpty)) {
                WriteRun.emptyFile(sink, job, WriteRun.known(plan, seen))
                        .ifPresent(empty -> commit(new TreeMap<>(Map.of(total, List.of(empty)))));
            }
            WriteSummary summary = sink.finish(job, all(log));
            log.finished();
            return summary;
        }
    }
}
