package dev.millrace.internal.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.ListColumn;
import dev.millrace.column.MapColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// One input of a batch: its rows are contiguous in memory, as onnxruntime reads them. The column's memory is used
/// directly; only columns with another layout are copied: booleans, which columns store as bits, and rows with gaps
/// between them.
final class BatchInput {
    private final ModelTensor input;
    /// The memory of all rows; null for strings.
    private final @Nullable MemorySegment values;
    private final @Nullable Column strings;
    private final long rowBytes;
    private final List<Long> rowShape;

    private BatchInput(
            ModelTensor input,
            @Nullable MemorySegment values,
            @Nullable Column strings,
            long rowBytes,
            List<Long> rowShape) {
        this.input = input;
        this.values = values;
        this.strings = strings;
        this.rowBytes = rowBytes;
        this.rowShape = rowShape;
    }

    /// @param where the model and column, for errors: "resnet50.onnx: column 'image'"
    /// @param copied counts the bytes that had to be copied
    static BatchInput of(String where, ModelTensor input, Column column, Allocator allocator, LongAdder copied) {
        requireValues(where, column);
        long rows = column.length();
        if (DataType.UTF8.equals(input.element())) {
            return new BatchInput(input, null, column, 0, rowShape(List.of(), input));
        }
        if (column instanceof BooleanColumn booleans) {
            MemorySegment bytes = allocator.allocate(rows).segment();
            for (long i = 0; i < rows; i++) {
                bytes.set(ValueLayout.JAVA_BYTE, i, (byte) (booleans.get(i) ? 1 : 0));
            }
            copied.add(rows);
            return dense(input, bytes, rows, List.of());
        }
        return switch (column) {
            case FixedWidthColumn fixed ->
                dense(
                        input,
                        fixed.values(),
                        rows,
                        Objects.requireNonNull(
                                RowTypes.of(fixed.type()).orElseThrow().shape(), "rows of one width have one shape"));
            case FixedListColumn list -> {
                requireValues(where, list.elements());
                yield dense(input, ((FixedWidthColumn) list.elements()).values(), rows, List.of((long) list.size()));
            }
            case ListColumn list -> ofLists(where, input, list);
            case VariableTensorColumn tensors -> ofTensors(where, input, tensors, allocator, copied);
            case BooleanColumn _,
                    DictionaryColumn _,
                    NullColumn _,
                    MapColumn _,
                    VariableWidthColumn _,
                    StructColumn _ ->
                throw MillraceException.internal(where + " is " + column.type() + ", which no model takes");
        };
    }

    private static BatchInput dense(ModelTensor input, MemorySegment values, long rows, List<Long> row) {
        return new BatchInput(input, values, null, rows == 0 ? 0 : values.byteSize() / rows, rowShape(row, input));
    }

    /// A scalar is a row of one element if the model has a dimension for it.
    private static List<Long> rowShape(List<Long> row, ModelTensor input) {
        return row.isEmpty() && input.rowShape().size() == 1 ? List.of(1L) : row;
    }

    private static BatchInput ofLists(String where, ModelTensor input, ListColumn lists) {
        long size = lists.end(0) - lists.start(0);
        for (long i = 1; i < lists.length(); i++) {
            if (lists.end(i) - lists.start(i) != size) {
                throw MillraceException.data(where + " has lists of " + size + " elements (row 0 of the batch) and of "
                        + (lists.end(i) - lists.start(i)) + " (row " + i + "), and the input '" + input.name()
                        + "' takes " + input.typeText()
                        + ": all rows of a batch must be of one length. Pad them before.");
            }
        }
        Column elements = lists.elements().slice(lists.first(), lists.extent());
        requireValues(where, elements);
        requireShape(where, List.of(size), 0, input);
        return dense(input, ((FixedWidthColumn) elements).values(), lists.length(), List.of(size));
    }

    private static BatchInput ofTensors(
            String where, ModelTensor input, VariableTensorColumn tensors, Allocator allocator, LongAdder copied) {
        int[] first = tensors.shape(0);
        boolean dense = true;
        for (long i = 0; i < tensors.length(); i++) {
            if (!Arrays.equals(first, tensors.shape(i))) {
                throw MillraceException.data(where + " has tensors of shape " + Arrays.toString(first)
                        + " (row 0 of the batch) and " + Arrays.toString(tensors.shape(i)) + " (row " + i
                        + "), and the input '" + input.name() + "' takes " + input.typeText()
                        + ": all rows of a batch must be of one shape. Resize or pad them before.");
            }
            dense &= tensors.data().start(i)
                    == tensors.data().start(0)
                            + i * (tensors.data().end(0) - tensors.data().start(0));
        }
        List<Long> shape = Arrays.stream(first).mapToObj(size -> (long) size).toList();
        requireShape(where, shape, 0, input);
        long rowBytes = tensors.segment(0).byteSize();
        if (dense) {
            FixedWidthColumn elements = (FixedWidthColumn) tensors.data().elements();
            long from = tensors.data().start(0) * elements.byteWidth();
            return dense(input, elements.values().asSlice(from, rowBytes * tensors.length()), tensors.length(), shape);
        }
        MemorySegment together = allocator.allocate(rowBytes * tensors.length()).segment();
        for (long i = 0; i < tensors.length(); i++) {
            MemorySegment.copy(tensors.segment(i), 0, together, i * rowBytes, rowBytes);
        }
        copied.add(together.byteSize());
        return dense(input, together, tensors.length(), shape);
    }

    private static void requireShape(String where, List<Long> shape, long row, ModelTensor input) {
        if (!RowTypes.shapeFits(shape, input)) {
            throw MillraceException.data(where + " has a value of shape " + shape + " (row " + row
                    + " of the batch), and the input '" + input.name() + "' takes " + input.typeText() + ".");
        }
    }

    private static void requireValues(String where, Column column) {
        if (column.hasNulls() && column.nullCount() > 0) {
            long row = 0;
            while (!column.isNull(row)) {
                row++;
            }
            throw MillraceException.data(where + " has " + column.nullCount() + " nulls in a batch of "
                    + column.length() + " (the first in row " + row
                    + "), and a model takes none. Leave those rows out before: filter(col(...).isNotNull()).");
        }
    }

    ModelTensor input() {
        return input;
    }

    long rowBytes() {
        return rowBytes;
    }

    /// The shape of one row, without the batch dimension.
    List<Long> rowShape() {
        return rowShape;
    }

    /// Rows `from` to `from + count` as a tensor of `run` rows, padded with zeros.
    OnnxTensor tensor(
            OrtEnvironment environment, long from, long count, long run, Allocator allocator, LongAdder copied)
            throws OrtException {
        long[] shape = new long[rowShape.size() + 1];
        shape[0] = run;
        for (int i = 1; i < shape.length; i++) {
            shape[i] = rowShape.get(i - 1);
        }
        if (values == null) {
            return OnnxTensor.createTensor(environment, texts(from, count, run), shape);
        }
        MemorySegment rows = values.asSlice(from * rowBytes, count * rowBytes);
        if (count < run) {
            MemorySegment filled = allocator.allocateZeroed(run * rowBytes).segment();
            MemorySegment.copy(rows, 0, filled, 0, rows.byteSize());
            copied.add(rows.byteSize());
            rows = filled;
        }
        return TensorViews.over(environment, rows, shape, ElementTypes.of(input));
    }

    private String[] texts(long from, long count, long run) {
        Column strings = Objects.requireNonNull(this.strings, "an input of texts");
        List<String> texts = new ArrayList<>();
        for (long i = from; i < from + count; i++) {
            texts.add((String) strings.value(i));
        }
        while (texts.size() < run) {
            texts.add("");
        }
        return texts.toArray(String[]::new);
    }
}
