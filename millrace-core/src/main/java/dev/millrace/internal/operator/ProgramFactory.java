package dev.millrace.internal.operator;

import dev.millrace.internal.exchange.ExchangePrograms;
import dev.millrace.internal.exchange.ReduceLayout;
import dev.millrace.internal.exchange.ShardMaker;
import dev.millrace.internal.exchange.ShuffleReducer;
import dev.millrace.internal.transform.ChainActor;
import dev.millrace.internal.transform.ChainSpec;
import dev.millrace.internal.transform.TaskPrograms;
import dev.millrace.internal.transform.VerbSite;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.BlockPlace;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.source.Split;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Creates the programs that tasks run. An interface, so that the engine can be tested without transforms. Errors name
/// the verbs.
public interface ProgramFactory {
    TaskProgram read(Split split, ChainSpec chain);

    /// @param places what each of the inputs was read from; empty if that is not known
    TaskProgram map(ChainSpec chain, List<BlockPlace> places);

    TaskProgram zip(int leftInputs, ChainSpec chain, VerbSite verb);

    ActorProgram actor(ChainSpec chain);

    TaskProgram shards(ShardMaker maker, long firstRow, long shardBytes, VerbSite verb);

    /// @param tail the steps applied to the reducer's output; null for none
    TaskProgram reduce(ShuffleReducer reducer, ReduceLayout layout, @Nullable ChainSpec tail, VerbSite verb);

    /// The programs of the library.
    ProgramFactory TRANSFORMS = new ProgramFactory() {
        @Override
        public TaskProgram read(Split split, ChainSpec chain) {
            return new TaskPrograms.ReadProgram(split, chain);
        }

        @Override
        public TaskProgram map(ChainSpec chain, List<BlockPlace> places) {
            return new TaskPrograms.MapProgram(chain, places);
        }

        @Override
        public TaskProgram zip(int leftInputs, ChainSpec chain, VerbSite verb) {
            return new TaskPrograms.ZipProgram(leftInputs, chain, verb);
        }

        @Override
        public ActorProgram actor(ChainSpec chain) {
            return new ChainActor(chain);
        }

        @Override
        public TaskProgram shards(ShardMaker maker, long firstRow, long shardBytes, VerbSite verb) {
            return new ExchangePrograms.MapProgram(maker, firstRow, shardBytes, verb);
        }

        @Override
        public TaskProgram reduce(
                ShuffleReducer reducer, ReduceLayout layout, @Nullable ChainSpec tail, VerbSite verb) {
            return tail == null
                    ? new ExchangePrograms.ReduceProgram(reducer, layout, verb)
                    : new TaskPrograms.BehindProgram(new ExchangePrograms.ReduceMaker(reducer, layout, verb), tail);
        }
    };
}
