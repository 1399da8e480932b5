package dev.millrace.internal.exchange;

import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskProgram;

/// The two programs of a shuffle.
public final class ExchangePrograms {
    private ExchangePrograms() {}

    /// @param firstRow the number of the task's first row
    public static TaskProgram map(ShardMaker maker, long firstRow, long shardBytes) {
        return new MapProgram(maker, firstRow, shardBytes);
    }

    public static TaskProgram reduce(Reducer reducer, ReduceLayout layout) {
        return new ReduceProgram(reducer, layout);
    }

    record MapProgram(ShardMaker maker, long firstRow, long shardBytes) implements TaskProgram {
        @Override
        public void run(TaskContext context) throws Exception {
            maker.make(new MapTask(context, firstRow, shardBytes));
        }
    }

    record ReduceProgram(Reducer reducer, ReduceLayout layout) implements TaskProgram {
        @Override
        public void run(TaskContext context) throws Exception {
            reducer.reduce(new ReduceTask(context, layout));
        }
    }
}
