package dev.millrace.internal.kernel.join;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The hash table of the build side of a join: a key leads to its first row, from which its other rows are chained in
/// their order. Rows that can match nothing are not in it. The caller owns the keys.
///
/// Its parts can be shipped as columns ([#shape], [#slots], [#words], [#chains]), and a table over these ([#over]) is
/// another reader of the same memory. One thread for each table.
public abstract sealed class JoinHashTable implements AutoCloseable permits DirectTable, HashTable, CompactKeyTable {
    /// The number of rows that are processed at a time.
    public static final int CHUNK = 4096;

    static final int NONE = -1;
    static final String IS_READER = "a table over the columns of another has none of its own";

    final JoinKeys keys;
    final List<KeyForm> forms;
    final boolean[] matchable = new boolean[CHUNK];
    /// For each row the next with the same key, or -1; null if every key is unique.
    @Nullable
    MemorySegment next;

    private final List<Buffer> owned = new ArrayList<>();
    private @Nullable Buffer nextBuffer;

    JoinHashTable(JoinKeys keys, List<KeyForm> forms) {
        this.keys = keys;
        this.forms = List.copyOf(forms);
    }

    /// @param rows of the keys
    public static JoinHashTable build(Allocator allocator, JoinKeys keys, List<KeyForm> forms, int rows) {
        boolean whole =
                forms.size() == 1 && (forms.getFirst() == KeyForm.WHOLE || forms.getFirst() == KeyForm.SMALL_WHOLE);
        JoinHashTable made = null;
        if (whole && rows > 0) {
            long[] range = range(keys, forms, rows);
            made = DirectTable.tryBuild(allocator, keys, forms, rows, range);
            made = made != null ? made : CompactKeyTable.tryBuild(allocator, keys, forms, rows, range);
        }
        return made != null ? made : HashTable.of(allocator, keys, forms, rows);
    }

    /// The minimum and maximum key that can match; if there is none, the first is greater than the second.
    private static long[] range(JoinKeys keys, List<KeyForm> forms, int rows) {
        long[] words = new long[CHUNK];
        boolean[] matchable = new boolean[CHUNK];
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        for (int from = 0; from < rows; from += CHUNK) {
            int count = Math.min(CHUNK, rows - from);
            boolean all = keys.readWords(forms, from, count, words, matchable);
            for (int i = 0; i < count; i++) {
                if (all || matchable[i]) {
                    least = Math.min(least, words[i]);
                    most = Math.max(most, words[i]);
                }
            }
        }
        return new long[] {least, most};
    }

    /// A table over the columns of another, which must outlive this one.
    ///
    /// @param words null if it has none
    /// @param chains null if it has none
    public static JoinHashTable over(
            TableShape shape, JoinKeys keys, Column slots, @Nullable Column words, @Nullable Column chains) {
        JoinHashTable table = switch (shape.kind()) {
            case DIRECT -> new DirectTable(keys, shape.forms(), shape.least(), (IntColumn) slots);
            case ORDERED, NEAR -> new CompactKeyTable(keys, shape.forms(), shape, (LongColumn) slots);
            case HASHED -> new HashTable(keys, shape.forms(), (LongColumn) slots, (LongColumn) words);
        };
        table.next = chains == null ? null : ((IntColumn) chains).values();
        return table;
    }

    /// How the keys of both sides are compared.
    public final List<KeyForm> forms() {
        return forms;
    }

    /// True when every key is unique.
    public final boolean isUnique() {
        return next == null;
    }

    /// What a reader of its columns must know.
    public abstract TableShape shape();

    /// The column of slots, with a reference of its own.
    public abstract Column slots();

    /// The column of the keys' words, with a reference of its own; null if it has none.
    public abstract @Nullable Column words(int rows);

    /// For each row the next with its key, or -1, with a reference of its own; null if every key is unique.
    public final @Nullable Column chains(int rows) {
        return nextBuffer == null ? null : new IntColumn(DataType.INT32, rows, nextBuffer.retain(), null, 0, 0);
    }

    /// The first rows with the keys of rows `from` to `from + count` of the probe side, -1 if there is none.
    ///
    /// @param count at most [#CHUNK]
    public abstract void find(JoinKeys other, long from, int count, int[] firsts);

    /// The next row with the key of this one, or -1.
    public final int after(int row) {
        return next == null ? NONE : next.getAtIndex(JAVA_INT, row);
    }

    final Buffer own(Buffer buffer) {
        owned.add(buffer);
        return buffer;
    }

    /// Allocates the chains, to be filled with the table.
    final MemorySegment openChains(Allocator allocator, int rows) {
        nextBuffer = own(allocator.allocate(Math.max(1, (long) rows * Integer.BYTES)));
        next = nextBuffer.segment();
        return next;
    }

    /// Called when the table is filled and no row has a predecessor.
    final void dropChains() {
        if (nextBuffer != null) {
            owned.remove(nextBuffer);
            nextBuffer.release();
            nextBuffer = null;
        }
        next = null;
    }

    @Override
    public final void close() {
        owned.forEach(Buffer::release);
        owned.clear();
    }
}
