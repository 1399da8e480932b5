package dev.millrace.internal.arrow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes dictionaries before the batches that use them. In a stream a changed dictionary is written again and replaces
/// the previous one. The dictionaries of a file cannot be replaced: new values are written as a delta, and the indices
/// of a block are mapped to those of the merged dictionary.
final class DictionaryWriter implements AutoCloseable {
    private final Allocator allocator;
    private final @Nullable BufferCodec codec;
    private final boolean united;
    private final boolean piecewise;
    private final Map<Long, Written> byId = new HashMap<>();

    /// The state of the dictionary that was last written for an id.
    private static final class Written {
        /// The dictionary of the last block, with a reference of ours.
        @Nullable
        Column last;
        /// Only for merged dictionaries: the position of each value, and the number of values.
        final Map<Object, Integer> positions = new HashMap<>();

        int size;
        /// Only for merged dictionaries: maps positions in `last` to merged ones; null if they are the same.
        int @Nullable [] moves;
    }

    /// Receives the messages that precede a batch.
    interface Out {
        void send(EncodedMessage message);

        void send(PlainMessage message);
    }

    /// @param united whether dictionaries are merged, as in files
    /// @param piecewise whether messages are [PlainMessage]s
    DictionaryWriter(Allocator allocator, @Nullable BufferCodec codec, boolean united, boolean piecewise) {
        this.allocator = allocator;
        this.codec = codec;
        this.united = united;
        this.piecewise = piecewise;
    }

    /// Passes the messages to `out` that must precede a batch with this column.
    void prepare(WireField field, Column column, Out out) {
        switch (column) {
            case DictionaryColumn encoded -> prepareDictionary(field, encoded.dictionary(), out);
            case ListColumn list -> prepare(field.child(0), list.elements(), out);
            case FixedListColumn list -> prepare(field.child(0), list.elements(), out);
            case MapColumn map -> {
                prepare(field.child(0).child(0), map.keys(), out);
                prepare(field.child(0).child(1), map.items(), out);
            }
            case StructColumn struct -> {
                for (int i = 0; i < struct.size(); i++) {
                    prepare(field.child(i), struct.child(i), out);
                }
            }
            // No children that could contain a dictionary.
            default -> {}
        }
    }

    private void prepareDictionary(WireField field, Column dictionary, Out out) {
        long id = ((ArrowLayout.Indexed) field.layout()).id();
        Written written = byId.computeIfAbsent(id, _ -> new Written());
        if (written.last == dictionary) {
            return;
        }
        if (!united) {
            boolean same = written.last != null && sameValues(written.last, dictionary);
            remember(written, dictionary);
            if (!same) {
                emit(field, id, false, dictionary, out);
            }
            return;
        }
        boolean first = written.last == null;
        List<Object> added = unite(written, dictionary);
        requireRoom(field, written.size);
        remember(written, dictionary);
        if (first) {
            emit(field, id, false, dictionary, out);
        } else if (!added.isEmpty()) {
            emit(field, id, true, Columns.of(allocator, dictionary.type(), added), out);
        }
    }

    private static void remember(Written written, Column dictionary) {
        dictionary.retain();
        if (written.last != null) {
            written.last.release();
        }
        written.last = dictionary;
    }

    /// @param delta whether `values` are a delta, created for this message, which takes ownership
    private void emit(WireField field, long id, boolean delta, Column values, Out out) {
        try (BatchWriter batch = new BatchWriter(allocator, codec, this, piecewise)) {
            if (delta) {
                values.forEachBuffer(batch::own);
            }
            prepare(field.child(0), values, out);
            batch.add(field.child(0), values);
            if (piecewise) {
                out.send(batch.plainDictionary(id, delta, values.length()));
            } else {
                out.send(batch.dictionary(id, delta, values.length()));
            }
        }
    }

    private static boolean sameValues(Column one, Column other) {
        boolean same = one.length() == other.length();
        for (long i = 0; same && i < one.length(); i++) {
            same = Objects.deepEquals(one.value(i), other.value(i));
        }
        return same;
    }

    /// Records the values of `dictionary` and their positions; returns the new ones.
    private static List<Object> unite(Written written, Column dictionary) {
        boolean first = written.last == null;
        List<Object> added = new ArrayList<>();
        int[] moves = new int[Math.toIntExact(dictionary.length())];
        boolean moved = false;
        for (int i = 0; i < moves.length; i++) {
            Object value = dictionary.value(i);
            Object key = value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
            Integer position = written.positions.putIfAbsent(key, written.size);
            if (position == null) {
                position = written.size++;
                added.add(value);
            } else if (first) {
                position = written.size++; // the first dictionary is written as it is, duplicates and all
            }
            moves[i] = position;
            moved |= position != i;
        }
        written.moves = moved ? moves : null;
        return added;
    }

    private static void requireRoom(WireField field, int size) {
        DataType.Int index = ((DataType.Dictionary) field.type()).index();
        int bits = Math.min(31, index.signed() ? index.bits() - 1 : index.bits());
        if (size - 1L >= 1L << bits) {
            throw MillraceException.user(
                    "Column '" + field.name() + "' has " + size + " distinct values in this file, more"
                            + " than its " + index + " indices can hold. Cast it to "
                            + field.child(0).type()
                            + " before writing, or write a stream.");
        }
    }

    /// The column's indices into the dictionary as written; mapped ones are in memory of `batch`.
    FixedWidthColumn indices(WireField field, DictionaryColumn column, BatchWriter batch) {
        FixedWidthColumn indices = column.indices();
        long id = ((ArrowLayout.Indexed) field.layout()).id();
        int[] moves = Objects.requireNonNull(byId.get(id), "a dictionary is prepared before its batch").moves;
        if (moves == null) {
            return indices;
        }
        int width = indices.byteWidth();
        Buffer moved = batch.allocate(indices.length() * width);
        MemorySegment to = moved.segment();
        for (long i = 0; i < indices.length(); i++) {
            int index = indices.isNull(i) ? 0 : moves[column.index(i)];
            switch (width) {
                case 1 -> to.set(JAVA_BYTE, i, (byte) index);
                case 2 -> to.setAtIndex(JAVA_SHORT, i, (short) index);
                case 4 -> to.setAtIndex(JAVA_INT, i, index);
                default -> to.setAtIndex(JAVA_LONG, i, index);
            }
        }
        Buffer validity = indices.hasNulls() ? indices.validityFromZero(allocator) : null;
        if (validity != null) {
            batch.own(validity);
        }
        return FixedColumns.of(indices.type(), indices.length(), moved, validity);
    }

    @Override
    public void close() {
        byId.values().forEach(written -> {
            if (written.last != null) {
                written.last.release();
            }
        });
        byId.clear();
    }
}
