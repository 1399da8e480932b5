package dev.millrace.internal.parquet.read;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.internal.source.SplitBundles;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.storage.StoredFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Plans splits as files are listed: a large file is split between row groups, small ones are combined. Only the
/// footers of large files are read here. If the user asked for a number of splits, all files are listed first, and that
/// number is never exceeded.
final class SplitPlanner implements Iterator<Split> {
    private static final long UNKNOWN_SPLIT_BYTES = 8 << 20;
    private static final int MAX_FILES = 256;

    private final ParquetReadPlan plan;
    private final Iterator<StoredFile> files;
    private final double expansion;
    /// The target size of a split, in file bytes.
    private final double splitBytes;
    /// The number of splits that the user asked for; 0 if none.
    private final int exactly;

    private final Queue<Split> ready = new ArrayDeque<>();
    private final List<Run> bundle = new ArrayList<>();
    private long bundleBytes;
    private long rowsGiven;

    /// @param known the total size of all files; -1 while they are still being listed
    SplitPlanner(ParquetReadPlan plan, Iterator<StoredFile> files, long known, double expansion, SplitRequest request) {
        this.plan = plan;
        this.files = files;
        this.expansion = expansion * share(plan);
        this.splitBytes = known < 0 ? UNKNOWN_SPLIT_BYTES : Math.max(1, (double) known / request.parallelism());
        this.exactly = request.exact() ? request.parallelism() : 0;
    }

    /// Bytes in memory per byte of the file, for all columns together.
    static double expansion(FileFooter footer, long fileBytes) {
        double bytes = 0;
        for (RowGroup group : footer.metadata().rowGroups()) {
            bytes +=
                    group.rows() * MemoryEstimate.perRow(group, footer.columns().columns());
        }
        return Math.max(0.01, bytes / Math.max(1, fileBytes));
    }

    /// The approximate fraction of the columns that is read.
    static double share(ParquetReadPlan plan) {
        return (plan.schema().size() + 0.01) / (plan.all().output().size() + 0.01);
    }

    @Override
    public boolean hasNext() {
        if (exactly > 0 && files.hasNext()) {
            addExactly();
        }
        while (ready.isEmpty()) {
            boolean enough = hasEnough();
            if (enough || !files.hasNext()) {
                if (enough || bundle.isEmpty()) {
                    return false;
                }
                flush();
                break;
            }
            add(files.next());
        }
        return true;
    }

    @Override
    public Split next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return ready.remove();
    }

    /// With a filter it is unknown before the read how many rows count towards the limit.
    private boolean hasEnough() {
        return plan.filter() == null && rowsGiven >= plan.limit();
    }

    private boolean isRuledOut(StoredFile file) {
        return !plan.mayPass(file.path());
    }

    /// Row groups of a file, or a whole file, for one task.
    ///
    /// @param rows -1 if unknown
    private record Run(FilePart part, long bytes, long rows) {
        static Run whole(StoredFile file) {
            return new Run(FilePart.whole(file), file.bytes(), -1);
        }
    }

    private void addExactly() {
        List<StoredFile> all = new ArrayList<>();
        files.forEachRemaining(file -> {
            if (!isRuledOut(file)) {
                all.add(file);
            }
        });
        boolean isKnown = all.stream().allMatch(file -> file.bytes() >= 0);
        double share = all.stream().mapToDouble(StoredFile::bytes).sum() / exactly;
        List<Run> runs = new ArrayList<>();
        for (StoredFile file : all) {
            if (hasEnough()) {
                break;
            }
            if (isKnown && file.bytes() > 1.5 * share) {
                runs.addAll(cut(file, share));
            } else {
                runs.add(Run.whole(file));
            }
        }
        SplitBundles.of(runs, exactly, Run::bytes).forEach(bundled -> ready.add(split(bundled)));
    }

    private void add(StoredFile file) {
        if (isRuledOut(file)) {
            return;
        }
        if (file.bytes() > 1.5 * splitBytes) {
            flush();
            cut(file, splitBytes).forEach(run -> ready.add(split(List.of(run))));
            return;
        }
        bundle.add(Run.whole(file));
        bundleBytes += Math.max(0, file.bytes());
        if (bundleBytes >= splitBytes || file.bytes() < 0 || bundle.size() == MAX_FILES) {
            flush();
        }
    }

    private void flush() {
        if (!bundle.isEmpty()) {
            ready.add(split(bundle));
            bundle.clear();
            bundleBytes = 0;
        }
    }

    private ParquetSplit split(List<Run> runs) {
        long bytes = runs.stream().mapToLong(run -> Math.max(0, run.bytes())).sum();
        boolean isCounted = plan.filter() == null
                && plan.limit() == Long.MAX_VALUE
                && runs.stream().allMatch(run -> run.rows() >= 0);
        return new ParquetSplit(
                plan,
                runs.stream().map(Run::part).toList(),
                isCounted ? runs.stream().mapToLong(Run::rows).sum() : -1,
                (long) (bytes * expansion));
    }

    /// Null for a broken file, which is planned as a whole: its task reports the error, so that the read's error policy
    /// applies.
    private @Nullable FileFooter footer(StoredFile file) {
        try {
            return FooterLoader.read(file);
        } catch (MillraceException e) {
            if (e.culprit() != Culprit.DATA) {
                throw e;
            }
            return null;
        }
    }

    /// Runs of row groups, each of about this many bytes.
    private List<Run> cut(StoredFile file, double runBytes) {
        FileFooter footer = footer(file);
        if (footer == null) {
            return List.of(Run.whole(file));
        }
        List<Run> runs = new ArrayList<>();
        List<RowGroup> all = footer.metadata().rowGroups();
        FileSchema columns = footer.columns(plan.options().int96());
        GroupPruning pruning = plan.pruning(columns);
        List<RowGroup> run = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        double bytes = 0;
        boolean first = true;
        for (int i = 0; i < all.size(); i++) {
            RowGroup group = all.get(i);
            if (pruning == null || pruning.mayPass(group)) {
                run.add(group);
                numbers.add(i);
                bytes += group.compressedBytes();
            }
            boolean last = i == all.size() - 1;
            if (!run.isEmpty() && (last || bytes + all.get(i + 1).compressedBytes() / 2.0 > runBytes)) {
                FilePart.Groups groups = new FilePart.Groups(
                        columns,
                        List.copyOf(run),
                        numbers.stream().mapToInt(Integer::intValue).toArray());
                FilePart part = new FilePart(file, groups, first, null);
                first = false;
                rowsGiven += groups.rows();
                runs.add(new Run(part, (long) bytes, groups.rows()));
                run.clear();
                numbers.clear();
                bytes = 0;
            }
        }
        return runs;
    }
}
