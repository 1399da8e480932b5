package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.TensorColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The vectors of a column of lists, fixed lists or tensors of numbers, read as float64 without an object per value.
final class VectorValues {
    private final Column vectors;
    /// Null if the elements are tensors' or all of them are null.
    private final @Nullable Column elements;

    private final DataType type;
    private final MemorySegment values;
    /// The number of elements of each vector, or -1 if they differ.
    private final int fixedSize;

    VectorValues(Column vectors) {
        this.vectors = vectors;
        switch (vectors) {
            case TensorColumn tensors -> {
                this.elements = null;
                this.type = tensors.type().element();
                this.values = tensors.values();
                this.fixedSize = Math.toIntExact(tensors.type().elements());
            }
            case ListColumn lists -> {
                this.elements = lists.elements();
                this.type = lists.type().element();
                this.values = valuesOf(elements);
                this.fixedSize = -1;
            }
            case FixedListColumn lists -> {
                this.elements = lists.elements();
                this.type = lists.type().element();
                this.values = valuesOf(elements);
                this.fixedSize = lists.size();
            }
            case BooleanColumn _,
                    DictionaryColumn _,
                    FixedWidthColumn _,
                    NullColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> throw MillraceException.internal("no vectors: " + vectors.type());
        }
    }

    private static MemorySegment valuesOf(Column elements) {
        return elements instanceof FixedWidthColumn fixed ? fixed.values() : MemorySegment.NULL;
    }

    static boolean isVector(DataType type) {
        return type instanceof DataType.ListOf list && isElement(list.element())
                || type instanceof DataType.FixedList fixed && isElement(fixed.element())
                || type instanceof DataType.Tensor tensor && isElement(tensor.element());
    }

    private static boolean isElement(DataType type) {
        return type instanceof DataType.Int || type instanceof DataType.Float || type instanceof DataType.Null;
    }

    boolean isNull(long row) {
        return vectors.isNull(row);
    }

    /// The number of elements; undefined for a null row.
    int size(long row) {
        if (fixedSize >= 0) {
            return fixedSize;
        }
        ListColumn lists = (ListColumn) vectors;
        return Math.toIntExact(lists.end(row) - lists.start(row));
    }

    /// Copies the elements of a row; false if one of them is null.
    boolean read(long row, double[] to) {
        int size = size(row);
        long from = vectors instanceof ListColumn lists ? lists.start(row) : row * size;
        if (elements != null && elements.hasNulls()) {
            for (long i = from; i < from + size; i++) {
                if (elements.isNull(i)) {
                    return false;
                }
            }
        }
        if (!(elements instanceof NullColumn)) {
            copy(values, type, from, size, to);
        }
        return true;
    }

    private static void copy(MemorySegment values, DataType type, long from, int count, double[] to) {
        if (type instanceof DataType.Int integer) {
            for (int i = 0; i < count; i++) {
                to[i] = whole(values, integer, from + i);
            }
            return;
        }
        switch (((DataType.Float) type).bits()) {
            case 64 -> MemorySegment.copy(values, JAVA_DOUBLE, from * Double.BYTES, to, 0, count);
            case 32 -> {
                for (int i = 0; i < count; i++) {
                    to[i] = values.getAtIndex(JAVA_FLOAT, from + i);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    to[i] = Float.float16ToFloat(values.getAtIndex(JAVA_SHORT, from + i));
                }
            }
        }
    }

    private static double whole(MemorySegment values, DataType.Int type, long index) {
        boolean signed = type.signed();
        return switch (type.bits()) {
            case 8 -> {
                byte value = values.get(JAVA_BYTE, index);
                yield signed ? value : Byte.toUnsignedInt(value);
            }
            case 16 -> {
                short value = values.getAtIndex(JAVA_SHORT, index);
                yield signed ? value : Short.toUnsignedInt(value);
            }
            case 32 -> {
                int value = values.getAtIndex(JAVA_INT, index);
                yield signed ? value : Integer.toUnsignedLong(value);
            }
            default -> {
                long value = values.getAtIndex(JAVA_LONG, index);
                yield signed || value >= 0 ? value : (value >>> 1 | value & 1) * 2.0;
            }
        };
    }
}
