package dev.millrace.internal.kernel.join;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.sort.RowOrder;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.relation.AsOf;
import dev.millrace.relation.SortKey;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The right rows of an as-of join by value: rows of one key are adjacent, ordered by that value, so that the nearest
/// is found by binary search. Owns its memory, or is a view of columns owned elsewhere. One thread.
public final class AsOfIndex implements AutoCloseable {
    private final AsOf asOf;
    private final DataType type;
    /// The maximum distance of a match: one field for floats, one for other values. See [OrderedValues#tolerance].
    private final double realTolerance;

    private final long wholeTolerance;
    /// The value of each row.
    private final MemorySegment values;
    /// For the first row of each key, the row after its last one.
    private final MemorySegment ends;

    private final long[] asked = new long[JoinHashTable.CHUNK];
    private final List<Column> held = new ArrayList<>();

    private AsOfIndex(AsOf asOf, DataType type, LongColumn values, IntColumn ends) {
        this.asOf = asOf;
        this.type = type;
        boolean real = type instanceof DataType.Float;
        this.realTolerance = real && asOf.tolerance() instanceof Number far ? far.doubleValue() : 0;
        this.wholeTolerance = real || asOf.tolerance() == null ? 0 : OrderedValues.tolerance(asOf, type);
        this.values = values.values();
        this.ends = ends.values();
    }

    /// The type in which values of both sides are compared.
    ///
    /// @throws dev.millrace.error.MillraceException culprit USER if they cannot be compared
    public static DataType common(AsOf asOf, DataType left, DataType right) {
        return OrderedValues.common(asOf, left, right);
    }

    /// The rows in the order that an index needs, without those that can match nothing, as a block that the caller
    /// closes.
    public static Block arrange(Allocator allocator, Block rows, JoinKeys keys, AsOf asOf, DataType type) {
        int count = Math.toIntExact(rows.rows());
        List<KeyForm> forms =
                keys.types().stream().map(own -> KeyForm.of(own, own)).toList();
        Buffer groups = allocator.allocate(Math.max(1, (long) count * Integer.BYTES));
        Buffer words = null;
        try (JoinHashTable table = JoinHashTable.build(allocator, keys, forms, count)) {
            words = allocator.allocate(Math.max(1, (long) count * Long.BYTES));
            int there = 0;
            int[] positions = new int[count];
            Column values = OrderedValues.as(allocator, rows.column(asOf.right()), type);
            try {
                int[] firsts = new int[JoinHashTable.CHUNK];
                long[] chunk = new long[JoinHashTable.CHUNK];
                for (int from = 0; from < count; from += JoinHashTable.CHUNK) {
                    int part = Math.min(JoinHashTable.CHUNK, count - from);
                    table.find(keys, from, part, firsts);
                    OrderedValues.read(values, from, part, chunk);
                    for (int i = 0; i < part; i++) {
                        if (firsts[i] >= 0 && !values.isNull(from + i)) {
                            groups.segment().setAtIndex(JAVA_INT, there, firsts[i]);
                            words.segment().setAtIndex(JAVA_LONG, there, chunk[i]);
                            positions[there++] = from + i;
                        }
                    }
                }
            } finally {
                values.release();
            }
            int[] sorted = sorted(allocator, groups, words, there);
            for (int i = 0; i < there; i++) {
                sorted[i] = positions[sorted[i]];
            }
            return Blocks.take(allocator, rows, sorted, there);
        } finally {
            groups.release();
            if (words != null) {
                words.release();
            }
        }
    }

    private static int[] sorted(Allocator allocator, Buffer groups, Buffer words, int count) {
        int[] order = new int[count];
        if (count == 0) {
            return order;
        }
        Schema schema = Schema.of(List.of(new Field("group", DataType.INT32), new Field("value", DataType.INT64)));
        List<Column> columns = List.of(
                new IntColumn(DataType.INT32, count, groups.retain(), null, 0, 0),
                new LongColumn(DataType.INT64, count, words.retain(), null, 0, 0));
        try (Block block = Block.of(schema, columns, count);
                RowOrder by = RowOrder.of(
                        allocator, block, List.of(SortKey.ascending("group"), SortKey.ascending("value")))) {
            by.copy(0, count, order);
        }
        return order;
    }

    /// An index over arranged rows.
    ///
    /// @param table of the same rows
    public static AsOfIndex of(
            Allocator allocator, Block rows, JoinKeys keys, JoinHashTable table, AsOf asOf, DataType type) {
        int count = Math.toIntExact(rows.rows());
        Buffer words;
        Buffer ends;
        try (ResourceScope scope = new ResourceScope()) {
            words = scope.add(allocator.allocate(Math.max(1, (long) count * Long.BYTES)));
            ends = scope.add(allocator.allocate(Math.max(1, (long) count * Integer.BYTES)));
            fill(allocator, rows.column(asOf.right()), type, keys, table, words.segment(), ends.segment());
            scope.keep();
        }
        LongColumn values = new LongColumn(DataType.INT64, count, words, null, 0, 0);
        IntColumn lasts = new IntColumn(DataType.INT32, count, ends, null, 0, 0);
        AsOfIndex index = new AsOfIndex(asOf, type, values, lasts);
        index.held.add(values);
        index.held.add(lasts);
        return index;
    }

    private static void fill(
            Allocator allocator,
            Column ordered,
            DataType type,
            JoinKeys keys,
            JoinHashTable table,
            MemorySegment words,
            MemorySegment ends) {
        int[] firsts = new int[JoinHashTable.CHUNK];
        long[] chunk = new long[JoinHashTable.CHUNK];
        Column column = OrderedValues.as(allocator, ordered, type);
        try {
            for (int from = 0; from < column.length(); from += JoinHashTable.CHUNK) {
                int part = (int) Math.min(JoinHashTable.CHUNK, column.length() - from);
                table.find(keys, from, part, firsts);
                OrderedValues.read(column, from, part, chunk);
                MemorySegment.copy(chunk, 0, words, JAVA_LONG, (long) from * Long.BYTES, part);
                for (int i = 0; i < part; i++) {
                    if (firsts[i] >= 0) {
                        ends.setAtIndex(JAVA_INT, firsts[i], from + i + 1);
                    }
                }
            }
        } finally {
            column.release();
        }
    }

    /// Its columns, which it keeps owning.
    public List<Column> columns() {
        return held;
    }

    /// A view of the columns of another.
    public static AsOfIndex over(AsOf asOf, DataType type, Column values, Column ends) {
        return new AsOfIndex(asOf, type, (LongColumn) values, (IntColumn) ends);
    }

    /// Replaces the first row of each key by the nearest row of the right; -1 if none is near enough.
    ///
    /// @param passing the column of the left, in the type of the index
    public void narrow(Column passing, long from, int count, int[] firsts) {
        OrderedValues.read(passing, from, count, asked);
        for (int i = 0; i < count; i++) {
            if (firsts[i] >= 0) {
                firsts[i] = passing.isNull(from + i)
                        ? JoinHashTable.NONE
                        : nearest(asked[i], firsts[i], ends.getAtIndex(JAVA_INT, firsts[i]));
            }
        }
    }

    private int nearest(long value, int first, int end) {
        int earlier = asOf.direction() == AsOf.Direction.LATER ? JoinHashTable.NONE : before(value, first, end);
        int later = asOf.direction() == AsOf.Direction.EARLIER ? JoinHashTable.NONE : after(value, first, end);
        earlier = isNear(value, earlier) ? earlier : JoinHashTable.NONE;
        later = isNear(value, later) ? later : JoinHashTable.NONE;
        if (earlier < 0 || later < 0) {
            return Math.max(earlier, later);
        }
        return isCloser(value, later, earlier) ? later : earlier;
    }

    /// The last row that is not after the value.
    private int before(long value, int first, int end) {
        int low = first;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            long there = values.getAtIndex(JAVA_LONG, middle);
            if (asOf.strict() ? there < value : there <= value) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == first ? JoinHashTable.NONE : low - 1;
    }

    /// The first row that is not before the value.
    private int after(long value, int first, int end) {
        int low = first;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            long there = values.getAtIndex(JAVA_LONG, middle);
            if (asOf.strict() ? there > value : there >= value) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low == end ? JoinHashTable.NONE : low;
    }

    private boolean isNear(long value, int row) {
        if (row < 0 || asOf.tolerance() == null) {
            return row >= 0;
        }
        long there = values.getAtIndex(JAVA_LONG, row);
        return type instanceof DataType.Float
                ? distance(value, there) <= realTolerance
                : Long.compareUnsigned(apart(value, there), wholeTolerance) <= 0;
    }

    private boolean isCloser(long value, int row, int other) {
        long a = values.getAtIndex(JAVA_LONG, row);
        long b = values.getAtIndex(JAVA_LONG, other);
        return type instanceof DataType.Float
                ? distance(value, a) < distance(value, b)
                : Long.compareUnsigned(apart(value, a), apart(value, b)) < 0;
    }

    /// For floats.
    private static double distance(long a, long b) {
        return a == b ? 0 : Math.abs(OrderedValues.toDouble(a) - OrderedValues.toDouble(b));
    }

    /// For all other types, as an unsigned number.
    private static long apart(long a, long b) {
        return Math.max(a, b) - Math.min(a, b);
    }

    @Override
    public void close() {
        held.forEach(Column::release);
        held.clear();
    }
}
