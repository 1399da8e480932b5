package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.internal.transform.BlockMaker;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskProgram;
import java.util.function.Consumer;

/// The two programs of a shuffle.
public final class ExchangePrograms {
    private ExchangePrograms() {}

    /// @param firstRow the number of the task's first row
    public record MapProgram(ShardMaker maker, long firstRow, long shardBytes) implements TaskProgram {
        @Override
        public void run(TaskContext context) throws Exception {
            maker.make(new MapTask(context, firstRow, shardBytes));
        }
    }

    public record ReduceProgram(Reducer reducer, ReduceLayout layout) implements TaskProgram {
        @Override
        public void run(TaskContext context) throws Exception {
            reducer.reduce(new ReduceTask(context, layout, context::emit, false));
        }
    }

    /// The same as [ReduceProgram] for a chain behind it.
    public record ReduceMaker(Reducer reducer, ReduceLayout layout) implements BlockMaker {
        @Override
        public void make(TaskContext context, Consumer<Block> out) throws Exception {
            reducer.reduce(new ReduceTask(context, layout, out, true));
        }
    }
}
