package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.aggregate.GroupRun;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;

/// Partial aggregation inside the task that produces the rows: emits keys and states, see [GroupedBlocks].
///
/// @param mostBytes about what the groups of a task may take at a time
/// @param site the user's line
public record GroupStep(String name, GroupedBlocks grouping, long mostBytes, String site) implements TransformStep {
    @Override
    public ChunkTransform open(StepContext context) {
        VerbSite verb = new VerbSite(name, site);
        GroupRun run = new GroupRun(context.allocator(), grouping, mostBytes);
        return new ChunkTransform() {
            @Override
            public void accept(Block chunk, ChunkSink out) throws Exception {
                try (chunk) {
                    run.add(chunk, out::emit);
                } catch (MillraceException e) {
                    throw verb.named(e);
                }
            }

            @Override
            public void finish(ChunkSink out) throws Exception {
                try {
                    run.flush(out::emit);
                } catch (MillraceException e) {
                    throw verb.named(e);
                }
            }

            @Override
            public void close() {
                run.close();
            }
        };
    }
}
