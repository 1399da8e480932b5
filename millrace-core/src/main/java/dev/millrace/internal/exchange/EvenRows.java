package dev.millrace.internal.exchange;

import java.util.ArrayList;
import java.util.List;

/// Cuts one input, unshuffled, into `parts` parts of equal numbers of rows, in order; if that does not divide evenly,
/// the first ones have one more.
public record EvenRows(int parts) implements ReduceAssignment {
    @Override
    public List<ReducePart> assign(List<List<MapOutput>> sides, long partBytes) {
        List<MapOutput> outputs = sides.getFirst();
        long total = outputs.stream().mapToLong(MapOutput::rows).sum();
        List<ReducePart> divided = new ArrayList<>();
        int output = 0;
        long at = 0;
        for (int i = 0; i < parts; i++) {
            long missing = total / parts + (i < total % parts ? 1 : 0);
            List<ShardSpan> spans = new ArrayList<>();
            while (missing > 0) {
                long there = outputs.get(output).rows() - at;
                long taken = Math.min(there, missing);
                if (taken > 0) {
                    spans.add(new ShardSpan(output, at, taken, null));
                }
                missing -= taken;
                at += taken;
                if (taken == there) {
                    output++;
                    at = 0;
                }
            }
            divided.add(new ReducePart(i, 1, List.of(spans), null));
        }
        return divided;
    }
}
