package dev.millrace.internal.storage;

import dev.millrace.storage.RandomFile.Range;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How the ranges that will be read of a file are fetched. Near ones are merged into one request, as long as it stays
/// small; a range that is larger is a stretch by itself, of which a window moves along with its reader.
///
/// @param stretches by their first byte; they do not overlap
/// @param partBytes of a request
record RangeReadPlan(TreeMap<Long, Stretch> stretches, long partBytes) {
    static final long MAX_PART = 8 << 20;
    private static final long MIN_PART = 256 << 10;
    /// Merged whatever it costs: less than the time to ask once more.
    private static final long ALWAYS_MERGED = 64 << 10;
    private static final long MAX_GAP = 1 << 20;

    /// @param useful bytes of it that will be read; others lie between them
    /// @param merged of several ranges
    record Stretch(long from, long to, long useful, boolean merged) {
        long bytes() {
            return to - from;
        }
    }

    static RangeReadPlan empty() {
        return new RangeReadPlan(new TreeMap<>(), MAX_PART);
    }

    /// @param window bytes that may be fetched ahead in all
    static RangeReadPlan of(List<Range> ranges, long size, long window) {
        List<Range> sorted = ranges.stream()
                .map(range -> new Range(Math.max(0, range.from()), Math.min(size, range.to())))
                .filter(range -> range.from() < range.to())
                .sorted(Comparator.comparingLong(Range::from))
                .toList();
        long total =
                sorted.stream().mapToLong(range -> range.to() - range.from()).sum();
        // Where not all of it fits, two parts of each range do: one is read, the next is on its way.
        long part = total <= window ? MAX_PART : Math.clamp(window / (2L * sorted.size()), MIN_PART, MAX_PART);
        TreeMap<Long, Stretch> stretches = new TreeMap<>();
        sorted.forEach(range -> add(stretches, range, part));
        return new RangeReadPlan(stretches, part);
    }

    private static void add(TreeMap<Long, Stretch> stretches, Range range, long part) {
        long bytes = range.to() - range.from();
        Stretch last = stretches.isEmpty() ? null : stretches.lastEntry().getValue();
        if (last != null && range.from() < last.to) {
            // They overlap: one stretch, whatever its size.
            long more = Math.max(0, range.to() - last.to);
            stretches.put(last.from, new Stretch(last.from, last.to + more, last.useful + more, last.merged));
            return;
        }
        if (last != null && range.to() - last.from <= part) {
            long gap = range.from() - last.to;
            if (gap <= ALWAYS_MERGED || gap <= Math.min(MAX_GAP, (last.useful + bytes) / 4)) {
                stretches.put(last.from, new Stretch(last.from, range.to(), last.useful + bytes, true));
                return;
            }
        }
        stretches.put(range.from(), new Stretch(range.from(), range.to(), bytes, false));
    }

    /// The stretch that has a position, or null.
    @Nullable
    Stretch at(long position) {
        Map.Entry<Long, Stretch> entry = stretches.floorEntry(position);
        return entry == null || position >= entry.getValue().to ? null : entry.getValue();
    }

    /// A stretch that is fetched in one request is kept until all of it was read: its readers go their own ways. Of
    /// another one what lies behind the reader can go.
    boolean isWhole(Stretch stretch) {
        return stretch.bytes() <= partBytes || stretch.merged;
    }
}
