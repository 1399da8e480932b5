package dev.millrace.models.tuning;

import dev.millrace.batch.Batch;
import dev.millrace.column.Columns;
import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.models.LoadedModel;
import dev.millrace.models.OnnxModel;
import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Random rows in the shapes of a model's inputs, used if there are no real ones: normal floats, integers 0 and 1.
final class SampleRows {
    private static final int ROWS = 4;

    private SampleRows() {}

    /// @param rowShapes the row shapes of inputs whose shape is open; under "" that of the only input
    static Batch random(OnnxModel model, Map<String, int[]> rowShapes) {
        try (LoadedModel loaded = model.create()) {
            Batch batch = Batch.empty();
            for (String name : rowShapes.keySet()) {
                if (!name.isEmpty()
                        && loaded.inputs().stream()
                                .noneMatch(input -> input.name().equals(name))) {
                    throw MillraceException.user(
                            "There is no input '" + name + "'. The inputs are " + loaded.inputs() + ".");
                }
            }
            for (ModelTensor input : loaded.inputs()) {
                int[] given =
                        rowShapes.getOrDefault(input.name(), loaded.inputs().size() == 1 ? rowShapes.get("") : null);
                batch = batch.with(loaded.columnOf(input), column(input, shape(input, given)));
            }
            return batch;
        }
    }

    private static int[] shape(ModelTensor input, int @Nullable [] given) {
        if (given != null) {
            return given;
        }
        if (input.rowShape().contains(ModelTensor.OPEN)) {
            throw MillraceException.user("The input " + input + " has an open shape: say which one a row has, e.g."
                    + " 3x224x224, or give a sample.");
        }
        return input.rowShape().stream().mapToInt(Math::toIntExact).toArray();
    }

    private static dev.millrace.column.Column column(ModelTensor input, int[] shape) {
        Allocator kept = Allocator.collected("a sample");
        DataType element = Objects.requireNonNull(input.element(), "a model with other inputs does not load");
        if (element.equals(DataType.UTF8)) {
            return Columns.ofStrings(kept, "a", "sample", "of", "texts");
        }
        if (element.equals(DataType.BOOL) && shape.length == 0) {
            return Columns.ofBooleans(kept, true, false, true, false);
        }
        DataType stored = element.equals(DataType.BOOL) ? DataType.UINT8 : element;
        List<Tensor> rows = new java.util.ArrayList<>();
        Random random = new Random(7);
        int[] whole = shape.length == 0 ? new int[] {1} : shape;
        for (int i = 0; i < ROWS; i++) {
            rows.add(tensor(stored, whole, random));
        }
        return shape.length == 0
                ? Columns.of(kept, stored, rows.stream().map(SampleRows::first).toList())
                : Columns.of(kept, DataType.tensor(stored, shape), rows);
    }

    private static Object first(Tensor tensor) {
        return tensor.element() instanceof DataType.Float ? (Object) tensor.getDouble(0) : (Object) tensor.getLong(0);
    }

    private static Tensor tensor(DataType element, int[] shape, Random random) {
        long count = 1;
        for (int size : shape) {
            count = Math.multiplyExact(count, size);
        }
        int width = Tensor.elementWidth(element);
        MemorySegment values = MemorySegment.ofArray(new long[Math.toIntExact((count * width + 7) / 8)])
                .asSlice(0, count * width);
        for (long i = 0; i < count; i++) {
            if (element instanceof DataType.Float) {
                float value = (float) random.nextGaussian();
                switch (width) {
                    case 2 -> values.setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16(value));
                    case 4 -> values.setAtIndex(ValueLayout.JAVA_FLOAT, i, value);
                    default -> values.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
                }
            } else {
                // Little-endian: the lowest byte is the value, for any width.
                values.set(ValueLayout.JAVA_BYTE, i * width, (byte) random.nextInt(2));
            }
        }
        return Tensor.copyOf(element, shape, values);
    }
}
