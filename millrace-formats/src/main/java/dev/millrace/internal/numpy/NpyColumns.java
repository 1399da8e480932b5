package dev.millrace.internal.numpy;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.millrace.column.BinaryBuilder;
import dev.millrace.column.BooleanBuilder;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.IntBuilder;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;

/// Converts elements of an array to a column.
final class NpyColumns {
    private static final long NOT_A_TIME = Long.MIN_VALUE;

    private final NpyHeader header;
    private final NumpyType type;
    private final DataType valueType;
    private final String path;

    NpyColumns(NpyHeader header, String path) {
        this.header = header;
        this.type = header.type();
        this.path = path;
        DataType valueType = type.valueType(header.rowShape());
        if (valueType == null) {
            throw MillraceException.data("'" + path + "': an array of type " + type + " and shape " + header.shapeText()
                    + " has no column type here. Arrays of several dimensions must hold numbers or booleans.");
        }
        this.valueType = valueType;
    }

    DataType valueType() {
        return valueType;
    }

    /// Copies rows of an array that is in memory as a whole.
    Column copy(Allocator allocator, MemorySegment array, long from, long rows) {
        long rowBytes = header.rowBytes();
        Buffer raw = allocator.allocate(rows * rowBytes);
        if (header.isByRows()) {
            MemorySegment.copy(array, from * rowBytes, raw.segment(), 0, rows * rowBytes);
        } else {
            transpose(array, raw.segment(), from, rows);
        }
        return take(allocator, raw, rows);
    }

    private void transpose(MemorySegment array, MemorySegment target, long from, long rows) {
        long[] shape = header.shape();
        int width = type.bytes();
        long[] strides = new long[shape.length];
        long stride = width;
        for (int i = 0; i < shape.length; i++) {
            strides[i] = stride;
            stride *= shape[i];
        }
        long to = 0;
        long perRow = header.rowElements();
        long[] index = new long[shape.length];
        for (long row = from; row < from + rows; row++) {
            java.util.Arrays.fill(index, 0);
            long source = row * strides[0];
            for (long i = 0; i < perRow; i++) {
                MemorySegment.copy(array, source, target, to, width);
                to += width;
                for (int d = shape.length - 1; d > 0; d--) {
                    source += strides[d];
                    if (++index[d] < shape[d]) {
                        break;
                    }
                    source -= strides[d] * shape[d];
                    index[d] = 0;
                }
            }
        }
    }

    /// A column of elements in row-major order as in the file; takes ownership of `raw`.
    Column take(Allocator allocator, Buffer raw, long rows) {
        MemorySegment data = raw.segment();
        try {
            if (type.bigEndian()) {
                swap(data);
            }
            if (type.isStored() || valueType instanceof DataType.Tensor) {
                return FixedWidthColumn.of(valueType, rows, raw.retain(), null, 0, 0);
            }
            try (ColumnBuilder builder = ColumnBuilder.of(allocator, valueType, rows)) {
                for (long i = 0; i < rows; i++) {
                    append(builder, data, i * type.bytes());
                }
                return builder.build();
            }
        } finally {
            raw.release();
        }
    }

    private void append(ColumnBuilder builder, MemorySegment data, long at) {
        switch (builder) {
            case BooleanBuilder bools -> bools.append(data.get(JAVA_BYTE, at) != 0);
            case BinaryBuilder binary -> {
                long end = at + type.bytes();
                while (end > at && data.get(JAVA_BYTE, end - 1) == 0) {
                    end--;
                }
                binary.append(data, at, end - at);
            }
            case StringColumnBuilder strings -> strings.append(text(data, at));
            case IntBuilder dates -> {
                long days = data.get(JAVA_LONG_UNALIGNED, at);
                if (days == NOT_A_TIME) {
                    dates.appendNull();
                } else if (days == (int) days) {
                    dates.append((int) days);
                } else {
                    throw MillraceException.data(
                            "'" + path + "': " + days + " days since 1970 is not a date that a column can hold.");
                }
            }
            case LongBuilder times -> {
                long value = data.get(JAVA_LONG_UNALIGNED, at);
                if (value == NOT_A_TIME) {
                    times.appendNull();
                } else {
                    times.append(value);
                }
            }
            default -> throw MillraceException.internal("no elements of " + type + " for " + builder.type());
        }
    }

    private String text(MemorySegment data, long at) {
        int length = type.bytes() / 4;
        while (length > 0 && data.get(JAVA_INT_UNALIGNED, at + 4L * (length - 1)) == 0) {
            length--;
        }
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            int point = data.get(JAVA_INT_UNALIGNED, at + 4L * i);
            if (!Character.isValidCodePoint(point)) {
                throw MillraceException.data("'" + path + "': a text has the character number "
                        + Integer.toUnsignedString(point) + ", which there is not in Unicode.");
            }
            text.appendCodePoint(point);
        }
        return text.toString();
    }

    private void swap(MemorySegment data) {
        long size = data.byteSize();
        switch (type.kind() == 'U' ? 4 : type.kind() == 'S' ? 1 : type.bytes()) {
            case 2 -> {
                for (long i = 0; i < size; i += 2) {
                    data.set(JAVA_SHORT_UNALIGNED, i, Short.reverseBytes(data.get(JAVA_SHORT_UNALIGNED, i)));
                }
            }
            case 4 -> {
                for (long i = 0; i < size; i += 4) {
                    data.set(JAVA_INT_UNALIGNED, i, Integer.reverseBytes(data.get(JAVA_INT_UNALIGNED, i)));
                }
            }
            case 8 -> {
                for (long i = 0; i < size; i += 8) {
                    data.set(JAVA_LONG_UNALIGNED, i, Long.reverseBytes(data.get(JAVA_LONG_UNALIGNED, i)));
                }
            }
            default -> {
                // Single bytes have no byte order.
            }
        }
    }
}
