package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.aggregate.GlobalPart;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Reduces a part with the reducer of its lane, and marks the output.
public record LaneReducer(List<Lane> lanes) implements ShuffleReducer {
    public LaneReducer {
        lanes = List.copyOf(lanes);
    }

    /// The part of a lane that reduce tasks need.
    record Lane(int number, ShuffleReducer reducer) implements Serializable {}

    public static LaneReducer of(List<ExchangeLane> lanes) {
        return new LaneReducer(lanes.stream()
                .map(lane -> new Lane(lane.number(), lane.reducer()))
                .toList());
    }

    @Override
    public void reduce(ReduceTask task) throws Exception {
        LaneAssignment.OfLane part = (LaneAssignment.OfLane) task.requireArgument();
        Lane lane = lanes.get(part.lane());
        ReduceLayout layout = task.layout();
        // Without rows the layout has the columns of some other lane.
        List<ReduceLayout.Run> runs = new ArrayList<>();
        for (int i = 0; i < part.narrow().size(); i++) {
            ReduceLayout.Run run = layout.sides().getFirst().get(i);
            runs.add(new ReduceLayout.Run(
                    run.firstInput(),
                    run.inputs(),
                    run.rows(),
                    run.partitionRows(),
                    part.narrow().get(i)));
        }
        ReduceLayout own = new ReduceLayout(
                layout.firstPartition(),
                layout.partitions(),
                List.of(runs),
                part.argument(),
                layout.targetBytes(),
                layout.mostBytes());
        Consumer<Block> marking = block -> {
            try (block) {
                task.emit(GlobalPart.mark(block, lane.number()));
            }
        };
        lane.reducer().reduce(task.with(own, lane.number() < 0 ? task::emit : marking));
    }

    @Override
    public boolean makesRowsOfNothing() {
        return true;
    }
}
