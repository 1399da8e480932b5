package dev.millrace.internal.exchange;

import java.util.ArrayList;
import java.util.List;

/// All rows of one input, map task by map task, as one part. Its argument is their number of bytes before narrowing.
record WholeRuns() implements ReduceAssignment {
    @Override
    public List<ReducePart> assign(List<List<MapOutput>> sides, long partBytes) {
        List<MapOutput> outputs = sides.getFirst();
        List<ShardSpan> spans = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++) {
            if (outputs.get(i).rows() > 0) {
                spans.add(new ShardSpan(i, 0, outputs.get(i).rows(), null));
            }
        }
        return List.of(new ReducePart(0, 1, List.of(spans), ReduceAssignment.totalBytes(sides)));
    }
}
