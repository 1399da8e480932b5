package dev.millrace.internal.exchange;

import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts of all lanes, lane by lane: in each map task's output the rows of a lane follow those of the lanes before
/// it.
public record LaneAssignment(List<ReduceAssignment> lanes) implements ReduceAssignment {
    public LaneAssignment {
        lanes = List.copyOf(lanes);
    }

    public static LaneAssignment of(List<ExchangeLane> lanes) {
        return new LaneAssignment(lanes.stream().map(ExchangeLane::assignment).toList());
    }

    /// The argument of a part.
    ///
    /// @param lane its number in the list
    /// @param argument of the lane's own assignment
    /// @param narrow for each of the part's spans the schema of the original rows, if they are [NarrowRows]; else null
    record OfLane(int lane, @Nullable Serializable argument, List<@Nullable Schema> narrow) implements Serializable {}

    @Override
    public List<ReducePart> assign(List<List<MapOutput>> sides, long partBytes) {
        List<MapOutput> outputs = sides.getFirst();
        long[] begins = new long[outputs.size()];
        List<ReducePart> parts = new ArrayList<>();
        for (int lane = 0; lane < lanes.size(); lane++) {
            List<Integer> numbers = new ArrayList<>();
            List<MapOutput> ofLane = new ArrayList<>();
            List<LaneShards.OfLane> told = new ArrayList<>();
            for (int i = 0; i < outputs.size(); i++) {
                LaneShards.OfLane one = ((LaneShards.Told) outputs.get(i).requireShards())
                        .lanes()
                        .get(lane);
                told.add(one);
                if (one.shards() != null) {
                    numbers.add(i);
                    ofLane.add(new MapOutput(one.rows(), one.bytes(), one.shards()));
                }
            }
            for (ReducePart part : lanes.get(lane).assign(List.of(ofLane), partBytes)) {
                parts.add(part(lane, part, numbers, told, begins));
            }
            for (int i = 0; i < begins.length; i++) {
                begins[i] += told.get(i).rows();
            }
        }
        return parts;
    }

    private static ReducePart part(
            int lane, ReducePart part, List<Integer> numbers, List<LaneShards.OfLane> told, long[] begins) {
        List<ShardSpan> spans = new ArrayList<>();
        List<Schema> narrow = new ArrayList<>();
        for (ShardSpan span : part.sides().getFirst()) {
            int output = numbers.get(span.output());
            spans.add(new ShardSpan(output, begins[output] + span.from(), span.rows(), span.partitionRows()));
            narrow.add(told.get(output).narrow());
        }
        return new ReducePart(
                part.firstPartition(), part.partitions(), List.of(spans), new OfLane(lane, part.argument(), narrow));
    }
}
