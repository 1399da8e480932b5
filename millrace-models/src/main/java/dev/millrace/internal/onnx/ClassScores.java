package dev.millrace.internal.onnx;

import dev.millrace.batch.Batch;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.FloatBuilder;
import dev.millrace.column.IntBuilder;
import dev.millrace.column.ListBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Converts the scores of a model's output to probabilities and top-k classes.
final class ClassScores {
    private final String model;
    private final OnnxOptions.Scores options;
    private final ModelTensor output;
    private final @Nullable List<String> labels;

    private ClassScores(String model, OnnxOptions.Scores options, ModelTensor output, @Nullable List<String> labels) {
        this.model = model;
        this.options = options;
        this.output = output;
        this.labels = labels;
    }

    /// For the only output that can be scores.
    static ClassScores of(String model, OnnxOptions.Scores options, List<ModelTensor> outputs) {
        ModelTensor output = output(model, options, outputs);
        List<String> labels = options.labels() != null
                ? options.labels()
                : options.labelsPath() != null ? ClassLabels.read(options.labelsPath()) : null;
        ClassScores scores = new ClassScores(model, options, output, labels);
        if (!output.rowShape().contains(ModelTensor.OPEN)) {
            scores.checkClasses(output.rowShape());
        }
        return scores;
    }

    /// The only output that can be scores.
    static ModelTensor output(String model, OnnxOptions.Scores options, List<ModelTensor> outputs) {
        if (options.hasLabels() && options.topK() == 0) {
            throw MillraceException.user("labels name the best classes: ask for them with topK(1).");
        }
        List<ModelTensor> candidates = outputs.stream()
                .filter(output -> output.element() instanceof DataType.Float
                        && output.shape().size() >= 2)
                .toList();
        if (candidates.size() != 1) {
            throw MillraceException.user(model + ": softmax and topK need one output of floats with a score for each"
                    + " class, [batch, classes], and its outputs are " + InputColumns.list(outputs)
                    + ". Choose with output(...).");
        }
        return candidates.getFirst();
    }

    /// The columns of the top-k classes, in their order.
    static List<Field> fields(OnnxOptions.Scores options) {
        List<Field> fields = new ArrayList<>();
        fields.add(new Field("class", typeOf(options, DataType.INT32)));
        if (options.hasLabels()) {
            fields.add(new Field("label", typeOf(options, DataType.UTF8)));
        }
        fields.add(new Field("score", typeOf(options, DataType.FLOAT32)));
        return fields;
    }

    /// More than one class per row is a list.
    private static DataType typeOf(OnnxOptions.Scores options, DataType element) {
        return options.topK() == 1 ? element : DataType.list(element);
    }

    boolean takes(ModelTensor candidate) {
        return candidate.equals(output);
    }

    private int checkClasses(List<Long> rowShape) {
        long classes = rowShape.stream().reduce(1L, Math::multiplyExact);
        long largest = rowShape.stream().mapToLong(Long::longValue).max().orElse(1);
        if (classes != largest) {
            throw MillraceException.user(model + ": softmax and topK need a score for each class, [batch, classes], and"
                    + " the output '" + output.name() + "' has rows of shape " + rowShape + ".");
        }
        if (options.topK() > classes) {
            throw MillraceException.user(
                    model + ": topK(" + options.topK() + ") of an output with " + classes + " classes.");
        }
        if (labels != null && labels.size() != classes) {
            throw MillraceException.user(model + ": " + labels.size() + " labels"
                    + (options.labelsPath() == null ? "" : " in '" + options.labelsPath() + "'") + " for " + classes
                    + " classes of its output '" + output.name() + "'. There must be one for each, class 0 first.");
        }
        return Math.toIntExact(classes);
    }

    /// The batch with the columns of the scores.
    ///
    /// @param column of all scores, if they are not replaced by the top-k classes
    /// @param named checks and completes the name of a new column
    Batch addTo(
            Batch result,
            BatchOutput made,
            String column,
            Allocator allocator,
            BiFunction<Batch, String, String> named) {
        int classes = checkClasses(made.rowShape());
        MemorySegment values = made.values();
        int rows = Math.toIntExact(values.byteSize() / ElementTypes.width(ElementTypes.of(output)) / classes);
        float[] row = new float[classes];
        if (options.topK() == 0) {
            for (int i = 0; i < rows; i++) {
                read(values, i, row);
                softmax(row);
                write(values, i, row);
            }
            return result.with(named.apply(result, column), made.column());
        }
        return best(result, values, rows, row, allocator, named);
    }

    private Batch best(
            Batch result,
            MemorySegment values,
            int rows,
            float[] row,
            Allocator allocator,
            BiFunction<Batch, String, String> named) {
        int k = options.topK();
        try (ColumnBuilder classes = builder(allocator, DataType.INT32, rows);
                ColumnBuilder names = builder(allocator, DataType.UTF8, rows);
                ColumnBuilder best = builder(allocator, DataType.FLOAT32, rows)) {
            int[] top = new int[k];
            for (int i = 0; i < rows; i++) {
                read(values, i, row);
                top(row, top);
                float max = row[top[0]];
                float sum = options.softmax() ? sumOfExponentials(row, max) : 1;
                for (int c : top) {
                    ((IntBuilder) elements(classes)).append(c);
                    ((FloatBuilder) elements(best)).append(options.softmax() ? exponential(row[c], max) / sum : row[c]);
                    if (labels != null) {
                        ((StringColumnBuilder) elements(names)).append(labels.get(c));
                    }
                }
                end(classes);
                end(best);
                end(names);
            }
            Batch with = result.with(named.apply(result, "class"), classes.build());
            if (labels != null) {
                with = with.with(named.apply(with, "label"), names.build());
            }
            return with.with(named.apply(with, "score"), best.build());
        }
    }

    private ColumnBuilder builder(Allocator allocator, DataType type, long rows) {
        return ColumnBuilder.of(allocator, typeOf(options, type), rows);
    }

    private static ColumnBuilder elements(ColumnBuilder builder) {
        return builder instanceof ListBuilder list ? list.elements() : builder;
    }

    private static void end(ColumnBuilder builder) {
        if (builder instanceof ListBuilder list) {
            list.endValue();
        }
    }

    private void read(MemorySegment values, int row, float[] into) {
        long from = (long) row * into.length;
        switch (ElementTypes.width(ElementTypes.of(output))) {
            case Float.BYTES ->
                MemorySegment.copy(values, ValueLayout.JAVA_FLOAT, from * Float.BYTES, into, 0, into.length);
            case Short.BYTES -> {
                for (int i = 0; i < into.length; i++) {
                    into[i] = Float.float16ToFloat(values.getAtIndex(ValueLayout.JAVA_SHORT, from + i));
                }
            }
            default -> {
                for (int i = 0; i < into.length; i++) {
                    into[i] = (float) values.getAtIndex(ValueLayout.JAVA_DOUBLE, from + i);
                }
            }
        }
    }

    private void write(MemorySegment values, int row, float[] from) {
        long to = (long) row * from.length;
        switch (ElementTypes.width(ElementTypes.of(output))) {
            case Float.BYTES ->
                MemorySegment.copy(from, 0, values, ValueLayout.JAVA_FLOAT, to * Float.BYTES, from.length);
            case Short.BYTES -> {
                for (int i = 0; i < from.length; i++) {
                    values.setAtIndex(ValueLayout.JAVA_SHORT, to + i, Float.floatToFloat16(from[i]));
                }
            }
            default -> {
                for (int i = 0; i < from.length; i++) {
                    values.setAtIndex(ValueLayout.JAVA_DOUBLE, to + i, from[i]);
                }
            }
        }
    }

    /// Softmax in place, without overflow.
    static void softmax(float[] row) {
        float max = Float.NEGATIVE_INFINITY;
        for (float value : row) {
            max = Math.max(max, value);
        }
        float sum = sumOfExponentials(row, max);
        for (int i = 0; i < row.length; i++) {
            row[i] = exponential(row[i], max) / sum;
        }
    }

    private static float sumOfExponentials(float[] row, float max) {
        double sum = 0;
        for (float value : row) {
            sum += Math.exp(value - max);
        }
        return (float) sum;
    }

    private static float exponential(float value, float max) {
        return (float) Math.exp(value - max);
    }

    /// The positions of the largest values, in descending order; among equal values the first comes first. NaN is
    /// smaller than all numbers.
    static void top(float[] row, int[] best) {
        int found = 0;
        for (int i = 0; i < row.length; i++) {
            if (found == best.length && !isLarger(row[i], row[best[found - 1]])) {
                continue;
            }
            int at = found < best.length ? found++ : found - 1;
            while (at > 0 && isLarger(row[i], row[best[at - 1]])) {
                best[at] = best[at - 1];
                at--;
            }
            best[at] = i;
        }
    }

    private static boolean isLarger(float a, float b) {
        return a > b || (Float.isNaN(b) && !Float.isNaN(a));
    }
}
