package dev.millrace.internal.numpy;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.block.Block;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.DoubleColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.FloatColumn;
import dev.millrace.column.HalfColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.sink.FileFormat;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes one `.npy` file. The header contains the number of rows, so the elements are kept in a temporary file until
/// it is known.
final class NpyWriter implements FileFormat.Writer {
    private static final long NOT_A_TIME = Long.MIN_VALUE;
    private static final int PIECE = 1 << 20;

    private final String name;
    private final NumpyType type;
    private final WritableByteChannel out;
    private final FileChannel waiting;
    private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE).order(ByteOrder.LITTLE_ENDIAN);
    private long rows;
    /// The shape of the values so far; null before the first value if the column's type does not determine it.
    private int @Nullable [] shape;

    private boolean failed;

    NpyWriter(String name, DataType column, WritableByteChannel out) throws IOException {
        this.name = name;
        this.type = Objects.requireNonNull(NumpyType.of(column), "the schema was checked");
        this.out = out;
        this.shape = switch (column) {
            case DataType.Tensor tensor ->
                tensor.shape().stream().mapToInt(Integer::intValue).toArray();
            case DataType.FixedList list -> new int[] {list.size()};
            case DataType.VariableTensor _, DataType.ListOf _ -> null;
            // One number in each row.
            default -> new int[0];
        };
        this.waiting = FileChannel.open(
                Files.createTempFile("millrace-", ".npy"),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    @Override
    public void write(Block block) throws IOException {
        failed = true;
        Column column = block.column(name);
        switch (column) {
            case BooleanColumn bools -> {
                requireNoNulls(column);
                for (long i = 0; i < bools.length(); i++) {
                    room(1).put((byte) (bools.get(i) ? 1 : 0));
                }
            }
            case HalfColumn halves -> {
                for (long i = 0; i < halves.length(); i++) {
                    room(2).putShort(halves.isNull(i) ? Float.floatToFloat16(Float.NaN) : halves.bits(i));
                }
            }
            case FloatColumn floats
            when floats.hasNulls() -> {
                for (long i = 0; i < floats.length(); i++) {
                    room(4).putFloat(floats.isNull(i) ? Float.NaN : floats.get(i));
                }
            }
            case DoubleColumn doubles
            when doubles.hasNulls() -> {
                for (long i = 0; i < doubles.length(); i++) {
                    room(8).putDouble(doubles.isNull(i) ? Double.NaN : doubles.get(i));
                }
            }
            case IntColumn dates
            when dates.type() instanceof DataType.Date -> {
                for (long i = 0; i < dates.length(); i++) {
                    room(8).putLong(dates.isNull(i) ? NOT_A_TIME : dates.get(i));
                }
            }
            case LongColumn times
            when type.unit() != null && times.hasNulls() -> {
                for (long i = 0; i < times.length(); i++) {
                    room(8).putLong(times.isNull(i) ? NOT_A_TIME : times.get(i));
                }
            }
            case FixedWidthColumn values -> {
                requireNoNulls(column);
                put(values.values());
            }
            case FixedListColumn lists -> {
                requireNoNulls(column);
                requireNoNulls(lists.elements());
                put(((FixedWidthColumn) lists.elements()).values());
            }
            case ListColumn lists -> {
                requireNoNulls(column);
                for (long i = 0; i < lists.length(); i++) {
                    FixedWidthColumn elements = (FixedWidthColumn) lists.get(i);
                    requireNoNulls(elements);
                    requireShape((int) elements.length());
                    put(elements.values());
                }
            }
            case VariableTensorColumn tensors -> {
                requireNoNulls(column);
                for (long i = 0; i < tensors.length(); i++) {
                    requireShape(tensors.shape(i));
                    put(tensors.segment(i));
                }
            }
            case DictionaryColumn _, NullColumn _, MapColumn _, VariableWidthColumn _, StructColumn _ ->
                throw MillraceException.internal("a column of " + column.type() + " passed the check");
        }
        rows += block.rows();
        failed = false;
    }

    private void requireNoNulls(Column column) {
        if (column.nullCount() > 0) {
            throw MillraceException.user("writeNumpy: column '" + name + "' of type " + column.type()
                    + " has nulls, and NumPy has none of this type. Filter them out or fill them before the write.");
        }
    }

    private void requireShape(int... found) {
        if (shape == null) {
            shape = found;
        } else if (!Arrays.equals(shape, found)) {
            throw MillraceException.user("writeNumpy: column '" + name + "' has values of the shapes "
                    + Arrays.toString(shape) + " and " + Arrays.toString(found)
                    + ", and all values of an array have one shape. Bring them to one before the write.");
        }
    }

    private ByteBuffer room(int count) throws IOException {
        if (piece.remaining() < count) {
            flush();
        }
        return piece;
    }

    private void flush() throws IOException {
        piece.flip();
        while (piece.hasRemaining()) {
            waiting.write(piece);
        }
        piece.clear();
    }

    private void put(MemorySegment values) throws IOException {
        long size = values.byteSize();
        for (long at = 0; at < size; ) {
            if (!piece.hasRemaining()) {
                flush();
            }
            int step = (int) Math.min(piece.remaining(), size - at);
            MemorySegment.copy(values, JAVA_BYTE, at, MemorySegment.ofBuffer(piece), JAVA_BYTE, 0, step);
            piece.position(piece.position() + step);
            at += step;
        }
    }

    @Override
    public void close() throws IOException {
        try (out;
                waiting) {
            if (failed) {
                return;
            }
            flush();
            int[] each = shape == null ? new int[] {0} : shape;
            ByteBuffer header = ByteBuffer.wrap(NpyHeader.write(type, rows, each));
            while (header.hasRemaining()) {
                out.write(header);
            }
            for (long at = 0; at < waiting.size(); ) {
                at += waiting.transferTo(at, waiting.size() - at, out);
            }
        }
    }
}
