package dev.millrace.internal.models.http;

import dev.millrace.column.Tensor;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonText;
import dev.millrace.internal.json.JsonWriter;
import dev.millrace.type.DataType;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A column filled from a part of each answer.
///
/// @param pointer a JSON pointer into the answer
public record AnswerColumn(String column, String pointer, DataType type) implements Serializable {
    public AnswerColumn {
        JsonPointer.of(pointer);
        if (column.isEmpty()) {
            throw MillraceException.user("An output's column needs a name.");
        }
    }

    /// The value in the form that a builder of the type takes.
    ///
    /// @throws CallFailed if there is no value at the pointer, or none of the type
    @SuppressWarnings("ReferenceEquality") // NOTHING is one object
    @Nullable
    Object of(Object answer) throws CallFailed {
        Object found = JsonPointer.of(pointer).find(answer);
        if (found == JsonPointer.NOTHING) {
            throw new CallFailed("answered with nothing at " + pointer + ": " + begin(answer), 200, false);
        }
        if (found == null) {
            return null;
        }
        try {
            return fit(found);
        } catch (RuntimeException _) {
            throw new CallFailed(
                    "answered with what is no " + type + " at " + pointer + ": " + begin(found), 200, false);
        }
    }

    private @Nullable Object fit(Object found) {
        return switch (type) {
            case DataType.Utf8 _ -> found instanceof String text ? text : json(found);
            case DataType.Bool _ -> (Boolean) found;
            case DataType.Int _ -> ((Number) Objects.requireNonNull(JsonText.fit(found, type))).longValue();
            case DataType.Float _ -> ((Number) found).doubleValue();
            case DataType.Tensor tensor -> Numbers.tensor(found, tensor);
            // The general conversion of JSON values.
            default -> JsonText.fit(found, type);
        };
    }

    private static String json(Object value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value);
        return new String(writer.take(), StandardCharsets.UTF_8);
    }

    private static String begin(Object value) {
        String text = json(value);
        return text.length() <= 200 ? text : text.substring(0, 200) + "...";
    }

    /// Reads numbers from nested JSON arrays.
    static final class Numbers {
        private Numbers() {}

        static Tensor tensor(Object json, DataType.Tensor type) {
            if (!type.element().equals(DataType.FLOAT32)) {
                throw new IllegalArgumentException("float32 only");
            }
            int elements = Math.toIntExact(type.elements());
            float[] values = new float[elements];
            int[] shape = type.shape().stream().mapToInt(Integer::intValue).toArray();
            fill(json, shape, 0, values, 0);
            return Tensor.of(values, shape);
        }

        private static int fill(Object json, int[] shape, int depth, float[] target, int at) {
            if (depth == shape.length) {
                target[at] = ((Number) json).floatValue();
                return at + 1;
            }
            List<?> list = (List<?>) json;
            if (list.size() != shape[depth]) {
                throw new IllegalArgumentException("another shape");
            }
            int next = at;
            for (Object element : list) {
                next = fill(element, shape, depth + 1, target, next);
            }
            return next;
        }
    }
}
