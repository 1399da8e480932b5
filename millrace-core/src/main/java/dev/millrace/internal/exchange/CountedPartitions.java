package dev.millrace.internal.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Assigns shards whose tasks counted their rows ([MapShards.Counted]): every partition is a part, or several
/// consecutive small ones are one part.
///
/// @param together whether partitions may share a part
public record CountedPartitions(int partitions, boolean together) implements ReduceAssignment {
    @Override
    public List<ReducePart> assign(List<List<MapOutput>> sides, long partBytes) {
        if (isWhole(sides)) {
            long rows = sides.getFirst().getFirst().rows();
            List<ShardSpan> all = rows == 0 ? List.of() : List.of(new ShardSpan(0, 0, rows, new int[0]));
            return List.of(new ReducePart(
                    0, 1, List.of(all), sides.getFirst().getFirst().shards()));
        }
        long[] bytes = new long[partitions];
        List<List<long[]>> starts = new ArrayList<>();
        for (List<MapOutput> side : sides) {
            List<long[]> ofSide = new ArrayList<>();
            for (MapOutput output : side) {
                int[] rows = counts(output);
                long[] from = new long[partitions + 1];
                double perRow = output.rows() == 0 ? 0 : (double) output.bytes() / output.rows();
                for (int p = 0; p < partitions; p++) {
                    from[p + 1] = from[p] + rows[p];
                    bytes[p] += (long) (rows[p] * perRow);
                }
                ofSide.add(from);
            }
            starts.add(ofSide);
        }
        List<ReducePart> parts = new ArrayList<>();
        for (int first = 0; first < partitions; ) {
            int end = first + 1;
            long size = bytes[first];
            while (together && end < partitions && size + bytes[end] <= partBytes) {
                size += bytes[end++];
            }
            parts.add(part(first, end, sides, starts));
            first = end;
        }
        if (together) {
            parts.removeIf(part -> part.rows() == 0);
            if (parts.isEmpty()) {
                parts.add(part(0, partitions, sides, starts));
            }
        }
        return parts;
    }

    private static boolean isWhole(List<List<MapOutput>> sides) {
        return sides.size() == 1
                && sides.getFirst().size() == 1
                && sides.getFirst().getFirst().shards() instanceof MapShards.Whole;
    }

    private static int[] counts(MapOutput output) {
        return ((MapShards.Counted) output.requireShards()).rows();
    }

    private static ReducePart part(int first, int end, List<List<MapOutput>> sides, List<List<long[]>> starts) {
        List<List<ShardSpan>> spans = new ArrayList<>();
        for (int side = 0; side < sides.size(); side++) {
            List<ShardSpan> ofSide = new ArrayList<>();
            for (int i = 0; i < sides.get(side).size(); i++) {
                long[] from = starts.get(side).get(i);
                if (from[end] > from[first]) {
                    int[] rows = Arrays.copyOfRange(counts(sides.get(side).get(i)), first, end);
                    ofSide.add(new ShardSpan(i, from[first], from[end] - from[first], rows));
                }
            }
            spans.add(ofSide);
        }
        return new ReducePart(first, end - first, spans, null);
    }
}
