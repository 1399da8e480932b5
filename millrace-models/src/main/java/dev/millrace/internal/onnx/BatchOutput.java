package dev.millrace.internal.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.millrace.column.BooleanBuilder;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// One output of a batch, collected over the runs of the model. If its shape is known before a run, the model writes
/// directly into the column's memory; otherwise its output is copied.
final class BatchOutput {
    private final String model;
    private final ModelTensor output;
    private final long rows;
    private final Allocator allocator;
    private final LongAdder copied;
    private @Nullable List<Long> rowShape;
    private long rowBytes;
    private @Nullable Buffer buffer;
    private @Nullable List<String> texts;
    /// Memory for a padded run, from which the padding is cut off.
    private @Nullable MemorySegment scratch;

    BatchOutput(String model, ModelTensor output, long rows, Allocator allocator, LongAdder copied) {
        this.model = model;
        this.output = output;
        this.rows = rows;
        this.allocator = allocator;
        this.copied = copied;
    }

    ModelTensor output() {
        return output;
    }

    /// The shape of one row; null if it is not yet known.
    List<Long> rowShape() {
        return Objects.requireNonNull(rowShape, "the model has run");
    }

    /// The values of all rows, contiguous.
    MemorySegment values() {
        return made().segment();
    }

    private Buffer made() {
        return Objects.requireNonNull(buffer, "the model has run");
    }

    boolean isText() {
        return DataType.UTF8.equals(output.element());
    }

    /// A tensor into which the model writes rows `from` to `from + count`; it has `run` rows if the run is padded.
    OnnxTensor pinned(OrtEnvironment environment, List<Long> row, long from, long count, long run) throws OrtException {
        MemorySegment target = makeRoom(row).asSlice(from * rowBytes, count * rowBytes);
        if (count < run) {
            scratch = allocator.allocate(run * rowBytes).segment();
            target = scratch;
        }
        long[] shape = new long[row.size() + 1];
        shape[0] = run;
        for (int i = 1; i < shape.length; i++) {
            shape[i] = row.get(i - 1);
        }
        return TensorViews.over(environment, target, shape, ElementTypes.of(output));
    }

    /// Copies the rows without the padding, after a padded run with [#pinned].
    void written(long from, long count) {
        if (scratch != null) {
            MemorySegment.copy(scratch, 0, made().segment(), from * rowBytes, count * rowBytes);
            copied.add(count * rowBytes);
            scratch = null;
        }
    }

    /// Copies the first `count` of the `run` rows that the model returned.
    void take(OnnxValue value, long from, long count, long run) throws OrtException {
        if (!(value instanceof OnnxTensor tensor)) {
            throw MillraceException.user(model + ": its output '" + output.name() + "' is a "
                    + value.getType()
                            .toString()
                            .toLowerCase(java.util.Locale.ROOT)
                            .replace("onnx_type_", "")
                    + ", which no column holds. Choose others with output(...), or export the model without it"
                    + " (scikit-learn's converters: zipmap=False).");
        }
        long[] shape = tensor.getInfo().getShape();
        if (shape.length == 0 || shape[0] != run) {
            throw MillraceException.user(model + ": its output '" + output.name() + "' has shape "
                    + java.util.Arrays.toString(shape) + " for " + run
                    + " rows, and a column needs one value for each row: the first dimension must be the batch. Choose"
                    + " others with output(...).");
        }
        List<Long> row = new ArrayList<>();
        for (int i = 1; i < shape.length; i++) {
            row.add(shape[i]);
        }
        if (isText()) {
            takeTexts(tensor, row, count);
            return;
        }
        MemorySegment all = makeRoom(row);
        long bytes = count * rowBytes;
        MemorySegment made = MemorySegment.ofBuffer(tensor.getByteBuffer());
        MemorySegment.copy(made, 0, all, from * rowBytes, bytes);
        copied.add(bytes);
    }

    private void takeTexts(OnnxTensor tensor, List<Long> row, long count) throws OrtException {
        if (!isPlain(row)) {
            throw MillraceException.user(model + ": its output '" + output.name() + "' has strings of shape "
                    + tensor.getInfo() + ", and a column takes one string for each row.");
        }
        rowShape = row;
        texts = texts == null ? new ArrayList<>() : texts;
        Object[] made = (Object[]) tensor.getValue();
        for (int i = 0; i < count; i++) {
            texts.add(made[i] instanceof Object[] inner ? (String) inner[0] : (String) made[i]);
        }
    }

    /// The memory of all rows.
    private MemorySegment makeRoom(List<Long> row) {
        if (buffer == null) {
            rowShape = row;
            rowBytes = row.stream().reduce(1L, Math::multiplyExact) * ElementTypes.width(ElementTypes.of(output));
            buffer = allocator.allocate(rows * rowBytes);
        } else if (!row.equals(rowShape)) {
            throw MillraceException.user(model + ": its output '" + output.name() + "' has rows of shape " + rowShape
                    + " and of shape " + row + " within one batch.");
        }
        return buffer.segment();
    }

    /// Releases the memory, after a failed run that is retried in another way.
    void reset() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
        rowShape = null;
        scratch = null;
        texts = null;
    }

    static boolean isPlain(List<Long> row) {
        return row.isEmpty() || row.size() == 1 && row.getFirst() == 1;
    }

    /// All rows as a column, which takes ownership of the memory.
    Column column() {
        if (isText()) {
            return Columns.ofStrings(
                    allocator,
                    Objects.requireNonNull(texts, "the model has run").toArray(String[]::new));
        }
        DataType type = typeOf(ElementTypes.of(output), rowShape());
        return type.equals(DataType.BOOL) ? booleans() : FixedWidthColumn.of(type, rows, made(), null, 0, 0);
    }

    /// The column type of an output: one value per row, or a tensor. A tensor of booleans has elements of uint8.
    static DataType typeOf(DataType element, List<Long> rowShape) {
        if (element.equals(DataType.UTF8) || isPlain(rowShape)) {
            return element;
        }
        int[] shape = rowShape.stream().mapToInt(Math::toIntExact).toArray();
        return DataType.tensor(element.equals(DataType.BOOL) ? DataType.UINT8 : element, shape);
    }

    private Column booleans() {
        MemorySegment values = values();
        try (BooleanBuilder builder = new BooleanBuilder(allocator, rows)) {
            for (long i = 0; i < rows; i++) {
                builder.append(values.get(ValueLayout.JAVA_BYTE, i) != 0);
            }
            return builder.build();
        }
    }
}
