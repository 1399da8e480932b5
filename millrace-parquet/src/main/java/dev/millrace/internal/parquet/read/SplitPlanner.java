package dev.millrace.internal.parquet.read;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.storage.StoredFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;

/// Cuts files into splits as they are listed: a large file between its row groups, small ones several to a split. Only
/// large files' footers are read here.
final class SplitPlanner implements Iterator<Split> {
    private static final long UNKNOWN_SPLIT_BYTES = 8 << 20;
    private static final int MAX_FILES = 256;

    private final ParquetReadPlan plan;
    private final Iterator<StoredFile> files;
    private final double expansion;
    /// Bytes of files that make a split.
    private final double splitBytes;

    private final Queue<Split> ready = new ArrayDeque<>();
    private final List<FilePart> bundle = new ArrayList<>();
    private long bundleBytes;
    private long rowsGiven;

    /// @param known bytes of all files; -1 while they are still being listed
    SplitPlanner(ParquetReadPlan plan, Iterator<StoredFile> files, long known, double expansion, SplitRequest request) {
        this.plan = plan;
        this.files = files;
        this.expansion = expansion * share(plan);
        this.splitBytes = known < 0 ? UNKNOWN_SPLIT_BYTES : Math.max(1, (double) known / request.parallelism());
    }

    /// Bytes in memory per byte of the file, all columns together.
    static double expansion(FileFooter footer, long fileBytes) {
        double bytes = 0;
        for (RowGroup group : footer.metadata().rowGroups()) {
            bytes +=
                    group.rows() * MemoryEstimate.perRow(group, footer.columns().columns());
        }
        return Math.max(0.01, bytes / Math.max(1, fileBytes));
    }

    /// About which part of the columns is read.
    static double share(ParquetReadPlan plan) {
        return (plan.schema().size() + 0.01) / (plan.all().output().size() + 0.01);
    }

    @Override
    public boolean hasNext() {
        while (ready.isEmpty()) {
            boolean enough = plan.filter() == null && rowsGiven >= plan.limit();
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

    private void add(StoredFile file) {
        if (plan.filter() != null && !plan.mayPass(file.path())) {
            return;
        }
        if (file.bytes() > 1.5 * splitBytes) {
            flush();
            cut(file);
            return;
        }
        bundle.add(FilePart.whole(file));
        bundleBytes += Math.max(0, file.bytes());
        if (bundleBytes >= splitBytes || file.bytes() < 0 || bundle.size() == MAX_FILES) {
            flush();
        }
    }

    private void flush() {
        if (!bundle.isEmpty()) {
            ready.add(new ParquetSplit(plan, List.copyOf(bundle), -1, (long) (bundleBytes * expansion)));
            bundle.clear();
            bundleBytes = 0;
        }
    }

    /// Null for a broken file, which becomes a split of its own: its task says what is wrong, so that the read's error
    /// policy holds.
    private FileFooter footer(StoredFile file) {
        try {
            return FooterLoader.read(file);
        } catch (MillraceException e) {
            if (e.culprit() != Culprit.DATA) {
                throw e;
            }
            ready.add(new ParquetSplit(plan, List.of(FilePart.whole(file)), -1, 0));
            return null;
        }
    }

    /// Runs of row groups, each of about as many bytes as a split should have.
    private void cut(StoredFile file) {
        FileFooter footer = footer(file);
        if (footer == null) {
            return;
        }
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
            if (!run.isEmpty() && (last || bytes + all.get(i + 1).compressedBytes() / 2.0 > splitBytes)) {
                FilePart part = new FilePart(
                        file,
                        columns,
                        List.copyOf(run),
                        numbers.stream().mapToInt(Integer::intValue).toArray(),
                        first,
                        null);
                first = false;
                boolean exact = plan.filter() == null && plan.limit() == Long.MAX_VALUE;
                rowsGiven += part.rows();
                ready.add(new ParquetSplit(plan, List.of(part), exact ? part.rows() : -1, (long) (bytes * expansion)));
                run.clear();
                numbers.clear();
                bytes = 0;
            }
        }
    }
}
