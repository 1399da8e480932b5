package dev.millrace.internal.transform;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.GatherKernel;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One row per element of a list column, the other columns repeated. An empty or null list gives no row, or, with
/// `keepEmpty`, one row with null.
public record ExplodeStep(String column, boolean keepEmpty) implements TransformStep {
    @Override
    public String name() {
        return "explode(" + column + ")";
    }

    /// The type of a list's elements.
    ///
    /// @throws MillraceException culprit USER, when it is no list
    public static DataType elementType(String column, DataType list) {
        return switch (list) {
            case DataType.ListOf variable -> variable.element();
            case DataType.FixedList fixed -> fixed.element();
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Utf8 _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Struct _,
                    DataType.MapOf _,
                    DataType.Tensor _,
                    DataType.VariableTensor _ ->
                throw MillraceException.user("explode: column '" + column + "' is " + list + ", not a list.");
        };
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return (chunk, out) -> {
            try (chunk) {
                int at = chunk.schema().require(column, "explode");
                DataType element = elementType(column, chunk.schema().field(at).type());
                Positions all = new Positions(chunk.column(at), keepEmpty);
                // Long rows with long lists expand very much: pieces of about a chunk are emitted one by one.
                int step = Math.clamp(
                        context.chunkBytes() * chunk.rows() / Math.max(1, chunk.sizeBytes()), 1, Integer.MAX_VALUE);
                for (int from = 0; from == 0 || from < all.count && out.wantsMore(); from += step) {
                    out.emit(explode(context.allocator(), chunk, at, element, all.part(from, step)));
                    if (all.count - from <= step) {
                        break;
                    }
                }
            }
        };
    }

    private Block explode(Allocator allocator, Block chunk, int at, DataType element, Positions positions) {
        List<Column> columns = new ArrayList<>();
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            scope.addAll(columns);
            for (int i = 0; i < chunk.schema().size(); i++) {
                Field field = chunk.schema().field(i);
                columns.add(
                        i == at
                                ? GatherKernel.takeOrNull(
                                        allocator, positions.list, positions.elements, positions.count)
                                : GatherKernel.take(allocator, chunk.column(i), positions.rows, positions.count));
                fields.add(i == at ? new Field(field.name(), element) : field);
            }
            return scope.keep(Block.of(Schema.of(fields), columns, positions.count));
        }
    }

    /// For each row of the output, its source row and the index of its element (-1: null).
    private static final class Positions {
        private final Column list;
        private int[] rows = new int[64];
        private int[] elements = new int[64];
        private int count;

        Positions(Column column, boolean keepEmpty) {
            this.list =
                    column instanceof ListColumn variable ? variable.elements() : ((FixedListColumn) column).elements();
            for (int row = 0; row < column.length(); row++) {
                boolean isNull = column.isNull(row);
                long from = column instanceof ListColumn variable
                        ? variable.start(row)
                        : (long) row * ((FixedListColumn) column).size();
                long to = isNull ? from : end(column, row);
                for (long element = from; element < to; element++) {
                    add(row, Math.toIntExact(element));
                }
                if (from == to && keepEmpty) {
                    add(row, -1);
                }
            }
        }

        private Positions(Positions whole, int from, int to) {
            this.list = whole.list;
            this.rows = Arrays.copyOfRange(whole.rows, from, to);
            this.elements = Arrays.copyOfRange(whole.elements, from, to);
            this.count = to - from;
        }

        /// Up to `most` of them, beginning with the one at `from`.
        Positions part(int from, int most) {
            return count <= most ? this : new Positions(this, from, (int) Math.min(count, (long) from + most));
        }

        private static long end(Column column, int row) {
            return column instanceof ListColumn variable
                    ? variable.end(row)
                    : (row + 1L) * ((FixedListColumn) column).size();
        }

        private void add(int row, int element) {
            if (count == rows.length) {
                rows = Arrays.copyOf(rows, 2 * count);
                elements = Arrays.copyOf(elements, 2 * count);
            }
            rows[count] = row;
            elements[count++] = element;
        }
    }
}
