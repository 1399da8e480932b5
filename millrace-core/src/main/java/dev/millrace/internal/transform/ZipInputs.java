package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Pairs rows of the left inputs with rows of the right ones, in pieces that lie within one block of each side, without
/// a copy. The engine provides the same number of rows on both sides.
final class ZipInputs implements AutoCloseable {
    private final Side left;
    private final Side right;
    private boolean paired;

    ZipInputs(TaskContext context, int leftInputs) {
        this.left = new Side(context, 0, leftInputs);
        this.right = new Side(context, leftInputs, context.inputs());
    }

    /// The next pairs, or null at the end. Two sides without rows result in one block without rows, for its schema.
    @Nullable
    Block next() {
        boolean more = left.advance();
        if (more != right.advance()) {
            throw MillraceException.internal("the two sides of a zip have different numbers of rows in one task");
        }
        if (!more && (paired || left.block == null || right.block == null)) {
            return null;
        }
        paired = true;
        long rows = Math.min(left.remaining(), right.remaining());
        try (Block a = left.take(rows);
                Block b = right.take(rows)) {
            List<Column> columns = new ArrayList<>(a.columns());
            columns.addAll(b.columns());
            return Block.sharing(ProjectionResolution.zipped(a.schema(), b.schema()), columns, rows);
        }
    }

    @Override
    public void close() {
        left.close();
        right.close();
    }

    /// The inputs of one side, one after the other.
    private static final class Side {
        private final TaskContext context;
        private final int end;
        private int next;
        private @Nullable Block block;
        private long at;

        Side(TaskContext context, int from, int end) {
            this.context = context;
            this.next = from;
            this.end = end;
        }

        /// Moves to the next block with rows, if necessary; returns whether there is a row left.
        boolean advance() {
            while ((block == null || at == block.rows()) && next < end) {
                close();
                block = context.input(next++);
                at = 0;
            }
            return block != null && at < block.rows();
        }

        private Block requireBlock() {
            return Objects.requireNonNull(block, "a side with rows has a block");
        }

        long remaining() {
            return requireBlock().rows() - at;
        }

        Block take(long rows) {
            Block taken = requireBlock().slice(at, rows);
            at += rows;
            return taken;
        }

        void close() {
            if (block != null) {
                Block done = block;
                block = null;
                done.close();
            }
        }
    }
}
