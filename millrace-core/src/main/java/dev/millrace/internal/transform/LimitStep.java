package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;

/// Passes at most `rows` rows of each task, then asks for no more, so that an upstream read stops early. The plan's
/// limit over all tasks stays in place.
public record LimitStep(long rows) implements TransformStep {
    public LimitStep {
        if (rows < 0) {
            throw MillraceException.internal("a limit of " + rows + " rows");
        }
    }

    @Override
    public String name() {
        return "limit(" + rows + ")";
    }

    @Override
    public boolean takesWholeBlocks() {
        return true;
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return new ChunkTransform() {
            private long left = rows;

            @Override
            public void accept(Block chunk, ChunkSink out) throws Exception {
                if (chunk.rows() <= left) {
                    left -= chunk.rows();
                    out.emit(chunk);
                    return;
                }
                Block first;
                try (chunk) {
                    first = chunk.slice(0, left);
                }
                left = 0;
                out.emit(first);
            }

            @Override
            public boolean wantsMore() {
                return left > 0;
            }

            @Override
            public long rowsWanted() {
                return left;
            }
        };
    }
}
