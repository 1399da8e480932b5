package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.expression.SortKey;
import dev.millrace.internal.kernel.sort.TopRun;
import java.util.List;

/// Leaves of a task's rows those that come first in sorted order.
public record TopStep(String name, List<SortKey> order, int rows) implements Step {
    public TopStep {
        order = List.copyOf(order);
    }

    @Override
    public Transform open(StepContext context) {
        TopRun run = new TopRun(context.allocator(), order, rows);
        return new Transform() {
            @Override
            public void accept(Block chunk, ChunkSink out) {
                try (chunk) {
                    run.add(chunk);
                }
            }

            @Override
            public void finish(ChunkSink out) throws Exception {
                Block best = run.finish();
                if (best != null) {
                    out.emit(best);
                }
            }

            @Override
            public void close() {
                run.close();
            }
        };
    }
}
