package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.kernel.sort.TopRun;
import dev.millrace.relation.SortKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Top-N: keeps those of a task's rows that come first in sorted order.
///
/// @param site the user's line
public record TopStep(String name, List<SortKey> order, int rows, String site) implements TransformStep {
    public TopStep {
        order = List.copyOf(order);
    }

    @Override
    public ChunkTransform open(StepContext context) {
        TopRun run = new TopRun(context.allocator(), order, rows);
        VerbSite verb = new VerbSite(name, site);
        return new ChunkTransform() {
            @Override
            public void accept(Block chunk, ChunkSink out) {
                try (chunk) {
                    run.add(chunk);
                } catch (MillraceException e) {
                    throw verb.named(e);
                }
            }

            @Override
            public void finish(ChunkSink out) throws Exception {
                Block best = finish();
                if (best != null) {
                    out.emit(best);
                }
            }

            private @Nullable Block finish() {
                try {
                    return run.finish();
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
