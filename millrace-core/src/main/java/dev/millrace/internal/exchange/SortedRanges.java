package dev.millrace.internal.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Divides sorted runs into ranges of keys: of about equal sizes according to the runs' samples, or between given
/// boundaries. Equal keys are always in one range. A span may have rows of the neighbouring ranges at both ends, which
/// the reducer drops.
///
/// @param boundaries ascending in the order of the sort; null: chosen by the samples
public record SortedRanges(byte @Nullable [][] boundaries) implements ReduceAssignment {
    @Override
    public List<ReducePart> assign(List<List<MapOutput>> sides, long partBytes) {
        List<MapOutput> outputs = sides.getFirst();
        List<SortedRun> runs = new ArrayList<>();
        for (MapOutput output : outputs) {
            runs.add((SortedRun) output.requireShards());
        }
        byte[][] bounds = boundaries;
        if (bounds == null) {
            long parts = (ReduceAssignment.totalBytes(sides) + partBytes - 1) / partBytes;
            bounds = comparable(outputs, runs) ? choose(outputs, runs, parts) : new byte[0][];
        }
        List<ReducePart> parts = new ArrayList<>();
        for (int i = 0; i <= bounds.length; i++) {
            KeyRange range = new KeyRange(i == 0 ? null : bounds[i - 1], i == bounds.length ? null : bounds[i]);
            List<ShardSpan> spans = new ArrayList<>();
            for (int run = 0; run < runs.size(); run++) {
                ShardSpan span = span(run, outputs.get(run), runs.get(run), range);
                if (span.rows() > 0) {
                    spans.add(span);
                }
            }
            parts.add(new ReducePart(i, 1, List.of(spans), range));
        }
        return parts;
    }

    /// Runs without rows have no kinds of keys, so they are comparable with any.
    private static boolean comparable(List<MapOutput> outputs, List<SortedRun> runs) {
        List<String> kinds = null;
        for (int i = 0; i < runs.size(); i++) {
            if (outputs.get(i).rows() > 0) {
                if (kinds != null && !kinds.equals(runs.get(i).kinds())) {
                    return false;
                }
                kinds = runs.get(i).kinds();
            }
        }
        return true;
    }

    private static ShardSpan span(int number, MapOutput output, SortedRun run, KeyRange range) {
        // The row of the last key below the range: all rows before it are below, too.
        long from = range.from() == null ? 0 : Math.max(0, run.below(range.from()) - 1) * run.step();
        long to = range.to() == null ? output.rows() : Math.min(output.rows(), run.below(range.to()) * run.step());
        return new ShardSpan(number, from, Math.max(0, to - from), null);
    }

    /// A key, and how many rows it represents.
    record Sample(byte[] key, long rows) {}

    private static byte[][] choose(List<MapOutput> outputs, List<SortedRun> runs, long parts) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            SortedRun run = runs.get(i);
            for (int k = 0; k < run.keys().length; k++) {
                long rows = Math.min(run.step(), outputs.get(i).rows() - k * run.step());
                samples.add(new Sample(run.keys()[k], rows));
            }
        }
        return choose(samples, parts);
    }

    /// Boundaries between so many parts of about equal sizes, or fewer; sorts the samples.
    static byte[][] choose(List<Sample> samples, long parts) {
        long total = samples.stream().mapToLong(Sample::rows).sum();
        samples.sort(Comparator.comparing(Sample::key, Arrays::compareUnsigned));
        List<byte[]> chosen = new ArrayList<>();
        long seen = 0;
        for (Sample sample : samples) {
            boolean due = seen >= (double) total / parts * (chosen.size() + 1);
            if (due
                    && chosen.size() < parts - 1
                    && (chosen.isEmpty() || !Arrays.equals(chosen.getLast(), sample.key))) {
                chosen.add(sample.key);
            }
            seen += sample.rows;
        }
        return chosen.toArray(byte[][]::new);
    }
}
