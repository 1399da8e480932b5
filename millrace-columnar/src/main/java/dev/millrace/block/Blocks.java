package dev.millrace.block;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.CompactKernel;
import dev.millrace.internal.kernel.ConcatenateKernel;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.internal.kernel.RunCopy;
import dev.millrace.internal.kernel.SelectionVector;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Operations on blocks: the kernels, applied to every column. Callers keep their inputs; each result is a holder of
/// its own, which may share memory with the input.
public final class Blocks {
    private Blocks() {}

    /// A block without rows.
    public static Block empty(Schema schema) {
        return Block.empty(schema, Columns.empty(schema.fields()));
    }

    /// The selected rows.
    public static Block take(Allocator allocator, Block block, SelectionVector selection) {
        return make(block.schema(), selection.count(), i -> GatherKernel.take(allocator, block.column(i), selection));
    }

    /// The rows at the first `count` of `positions`, in that order; positions may repeat.
    public static Block take(Allocator allocator, Block block, int[] positions, int count) {
        return make(block.schema(), count, i -> GatherKernel.take(allocator, block.column(i), positions, count));
    }

    /// The same rows with the columns of `schema`: each one widened to its type there, null if it is missing. A column
    /// that `schema` lacks is dropped.
    public static Block widen(Allocator allocator, Block block, Schema schema) {
        if (schema.equals(block.schema())) {
            return block.retain();
        }
        return make(schema, block.rows(), i -> {
            int position = block.schema().indexOf(schema.field(i).name());
            return position < 0
                    ? Columns.nulls(allocator, schema.field(i).type(), block.rows())
                    : WidenKernel.to(
                            allocator, block.column(position), schema.field(i).type());
        });
    }

    /// A copy of only the rows, in tight memory.
    public static Block compact(Allocator allocator, Block block) {
        return make(block.schema(), block.rows(), i -> CompactKernel.column(allocator, block.column(i)));
    }

    /// The concatenated rows of all blocks, under their common schema; shared, if it is only one block.
    ///
    /// @param blocks at least one
    /// @throws dev.millrace.error.MillraceException culprit DATA, naming column and types that have no common type
    public static Block concatenate(Allocator allocator, List<Block> blocks) {
        return concatenate(allocator, blocks, RunCopy.PLAIN);
    }

    /// @param copy for large runs
    public static Block concatenate(Allocator allocator, List<Block> blocks, RunCopy copy) {
        Schema schema = blocks.getFirst().schema();
        for (Block block : blocks) {
            schema = Types.unify(schema, block.schema());
        }
        return concatenate(allocator, blocks, schema, copy);
    }

    /// The rows of all blocks, widened to `schema`.
    public static Block concatenate(Allocator allocator, List<Block> blocks, Schema schema) {
        return concatenate(allocator, blocks, schema, RunCopy.PLAIN);
    }

    private static Block concatenate(Allocator allocator, List<Block> blocks, Schema schema, RunCopy copy) {
        List<Block> widened = new ArrayList<>();
        try {
            long rows = 0;
            for (Block block : blocks) {
                widened.add(widen(allocator, block, schema));
                rows += block.rows();
            }
            return make(schema, rows, i -> {
                List<Column> parts =
                        widened.stream().map(block -> block.column(i)).toList();
                return ConcatenateKernel.columns(allocator, parts, copy);
            });
        } finally {
            widened.forEach(Block::close);
        }
    }

    /// A block of columns created one by one; if one fails, those before it are released.
    private static Block make(Schema schema, long rows, IntFunction<Column> column) {
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            for (int i = 0; i < schema.size(); i++) {
                columns.add(column.apply(i));
            }
            return scope.keep(Block.of(schema, columns, rows));
        }
    }
}
