package dev.millrace.internal.source;

import dev.millrace.internal.compress.FileCompression;
import dev.millrace.internal.source.FileSplit.Part;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.source.WantedColumns;
import dev.millrace.storage.StoredFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Cuts files into splits as they are listed: a large file by bytes if its format allows, several small ones per split.
/// If the user asked for a number of splits, all files are listed first, and there are never more.
public final class FileSplits implements Iterator<Split> {
    private static final long UNKNOWN_SPLIT_BYTES = 8 << 20;
    private static final int MAX_FILES = 256;
    /// A smaller part of a file is not worth the search for its boundaries.
    private static final long MIN_PART_BYTES = 256 << 10;

    private final ReadFormat format;
    private final FileColumns columns;
    private final WantedColumns wanted;
    private final @Nullable String compression;
    private final Iterator<StoredFile> files;
    private final double expansion;
    /// The bytes of files per split.
    private final double splitBytes;
    /// A split is complete at this many bytes, whatever the number of files.
    private final double mostBytes;
    /// Splits have a multiple of this many files; 0: any number.
    private final long filesEach;
    /// The requested number of splits; 0: none.
    private final int exactly;

    private final Queue<Split> ready = new ArrayDeque<>();
    private final List<Part> bundle = new ArrayList<>();
    private long bundleBytes;

    /// @param known bytes of all files; -1 while they are still being listed
    /// @param expansion bytes in memory per byte of a file
    public FileSplits(
            ReadFormat format,
            FileColumns columns,
            WantedColumns wanted,
            @Nullable String compression,
            Iterator<StoredFile> files,
            long known,
            double expansion,
            SplitRequest request) {
        this.format = format;
        this.columns = columns;
        this.wanted = wanted;
        this.compression = compression;
        this.files = files;
        this.expansion = expansion;
        this.splitBytes = known < 0 ? UNKNOWN_SPLIT_BYTES : Math.max(1, (double) known / request.parallelism());
        this.mostBytes = Math.max(splitBytes, request.maxBytes() / Math.max(expansion, 1e-3));
        this.filesEach = format.hasRowPerFile() ? request.rows() : 0;
        this.exactly = request.exact() ? request.parallelism() : 0;
    }

    @Override
    public boolean hasNext() {
        if (exactly > 0 && files.hasNext()) {
            addExactly();
        }
        while (ready.isEmpty() && files.hasNext()) {
            add(files.next());
        }
        if (ready.isEmpty()) {
            flush();
        }
        return !ready.isEmpty();
    }

    @Override
    public Split next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return ready.remove();
    }

    private void addExactly() {
        List<StoredFile> all = new ArrayList<>();
        files.forEachRemaining(all::add);
        for (List<Part> parts : SplitBundles.of(parts(all, exactly, format, compression), exactly, Part::bytes)) {
            ready.add(split(
                    parts,
                    parts.stream().mapToLong(part -> Math.max(0, part.bytes())).sum()));
        }
    }

    /// The number of splits of these files if this many are requested; then each file is cut or whole.
    public static int count(List<StoredFile> files, int wanted, ReadFormat format, @Nullable String compression) {
        return Math.min(wanted, parts(files, wanted, format, compression).size());
    }

    /// The files, cut if they are larger than their share.
    private static List<Part> parts(
            List<StoredFile> files, int wanted, ReadFormat format, @Nullable String compression) {
        boolean isKnown = files.stream().allMatch(file -> file.bytes() >= 0);
        double share = files.stream().mapToDouble(StoredFile::bytes).sum() / wanted;
        List<Part> parts = new ArrayList<>();
        for (StoredFile file : files) {
            boolean cuttable = isKnown
                    && format.isSplittable()
                    && FileListing.compression(file, format, compression) == FileCompression.NONE;
            if (cuttable && file.bytes() > 1.5 * share && share >= MIN_PART_BYTES) {
                parts.addAll(parts(file, share));
            } else {
                parts.add(new Part(file, 0, Long.MAX_VALUE));
            }
        }
        return parts;
    }

    private void add(StoredFile file) {
        boolean cuttable = format.isSplittable() && !isCompressed(file);
        if (cuttable && file.bytes() > 1.5 * splitBytes && file.bytes() > 2 * MIN_PART_BYTES) {
            flush();
            cut(file);
            return;
        }
        bundle.add(new Part(file, 0, Long.MAX_VALUE));
        bundleBytes += Math.max(0, file.bytes());
        if (isEnough() || file.bytes() < 0 || bundle.size() == MAX_FILES) {
            flush();
        }
    }

    /// If a number of files is requested, the multiple of it that is nearest to the bytes.
    private boolean isEnough() {
        if (filesEach < 2) {
            return bundleBytes >= splitBytes;
        }
        double half = bundleBytes * (filesEach / 2.0 / bundle.size());
        return bundle.size() % filesEach == 0 && bundleBytes + half >= splitBytes || bundleBytes >= mostBytes;
    }

    private boolean isCompressed(StoredFile file) {
        return FileListing.compression(file, format, compression) != FileCompression.NONE;
    }

    private void flush() {
        if (!bundle.isEmpty()) {
            ready.add(split(List.copyOf(bundle), bundleBytes));
            bundle.clear();
            bundleBytes = 0;
        }
    }

    private void cut(StoredFile file) {
        for (Part part : parts(file, Math.max(splitBytes, MIN_PART_BYTES))) {
            ready.add(split(List.of(part), part.bytes()));
        }
    }

    /// A file in parts of about this many bytes.
    private static List<Part> parts(StoredFile file, double partBytes) {
        int count = (int) Math.max(1, Math.round(file.bytes() / partBytes));
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long from = file.bytes() * i / count;
            long to = file.bytes() * (i + 1) / count;
            parts.add(new Part(file, from, i == count - 1 ? Long.MAX_VALUE : to));
        }
        return parts;
    }

    private FileSplit split(List<Part> parts, long bytes) {
        return new FileSplit(format, columns, wanted, compression, parts, (long) (bytes * expansion));
    }
}
