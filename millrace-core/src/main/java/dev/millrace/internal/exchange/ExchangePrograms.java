package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.transform.BlockMaker;
import dev.millrace.internal.transform.VerbSite;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskProgram;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The two programs of a shuffle.
public final class ExchangePrograms {
    private ExchangePrograms() {}

    /// @param firstRow the number of the task's first row
    /// @param verb for errors
    public record MapProgram(ShardMaker maker, long firstRow, long shardBytes, VerbSite verb) implements TaskProgram {
        @Override
        public void run(TaskContext context) throws Exception {
            try {
                maker.make(new MapTask(context, firstRow, shardBytes));
            } catch (MillraceException e) {
                throw verb.named(e);
            }
        }
    }

    /// @param verb for errors
    public record ReduceProgram(ShuffleReducer reducer, ReduceLayout layout, VerbSite verb) implements TaskProgram {
        @Override
        public void run(TaskContext context) throws Exception {
            try {
                reducer.reduce(new ReduceTask(context, layout, context::emit, false));
            } catch (MillraceException e) {
                throw verb.named(e);
            }
        }
    }

    /// The same as [ReduceProgram], followed by a chain.
    ///
    /// @param verb for errors of the reducer; those of the chain are passed unchanged
    public record ReduceMaker(ShuffleReducer reducer, ReduceLayout layout, VerbSite verb) implements BlockMaker {
        @Override
        public void make(TaskContext context, Consumer<Block> out) throws Exception {
            TailOutput behind = new TailOutput(out);
            try {
                reducer.reduce(new ReduceTask(context, layout, behind, true));
            } catch (MillraceException e) {
                throw e.equals(behind.thrown) ? e : verb.named(e);
            }
        }
    }

    /// The steps after the reducer, and what they threw. One thread.
    private static final class TailOutput implements Consumer<Block> {
        private final Consumer<Block> out;
        private @Nullable MillraceException thrown;

        TailOutput(Consumer<Block> out) {
            this.out = out;
        }

        @Override
        public void accept(Block block) {
            try {
                out.accept(block);
            } catch (MillraceException e) {
                thrown = e;
                throw e;
            }
        }
    }
}
