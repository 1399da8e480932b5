package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.aggregate.GroupRun;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;

/// Groups the rows of a task before they leave it: keys and states come out, see [GroupedBlocks].
///
/// @param mostBytes about what the groups of a task may take at a time
public record GroupStep(String name, GroupedBlocks grouping, long mostBytes) implements Step {
    @Override
    public Transform open(StepContext context) {
        GroupRun run = new GroupRun(context.allocator(), grouping, mostBytes);
        return new Transform() {
            @Override
            public void accept(Block chunk, ChunkSink out) throws Exception {
                try (chunk) {
                    run.add(chunk, out::emit);
                }
            }

            @Override
            public void finish(ChunkSink out) throws Exception {
                run.flush(out::emit);
            }

            @Override
            public void close() {
                run.close();
            }
        };
    }
}
