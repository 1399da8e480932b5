package dev.millrace.models.tensor;

import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An input or output of a model, as its file declares it.
///
/// @param element the element type: a number, `bool` or `utf8`; `null` for types that no column can hold
/// @param shape its dimensions, the batch first; [#OPEN] for dimensions of any size
/// @param names the name of each dimension in the file; empty if it has none
public record ModelTensor(String name, @Nullable DataType element, List<Long> shape, List<String> names) {
    /// The size of a dimension that is not fixed.
    public static final long OPEN = -1;

    public ModelTensor {
        shape = List.copyOf(shape);
        names = List.copyOf(names);
    }

    /// The size of the batch dimension; [#OPEN] if it is not fixed, 1 if there is none.
    public long batch() {
        return shape.isEmpty() ? 1 : shape.getFirst();
    }

    /// The dimensions of one row.
    public List<Long> rowShape() {
        return shape.isEmpty() ? shape : shape.subList(1, shape.size());
    }

    /// "float32 [batch, 3, 224, 224]"
    public String typeText() {
        List<String> dimensions = new ArrayList<>();
        for (int i = 0; i < shape.size(); i++) {
            String name = i < names.size() ? names.get(i) : "";
            String open = !name.isEmpty() ? name : i == 0 ? "batch" : "any";
            dimensions.add(shape.get(i) >= 0 ? String.valueOf(shape.get(i)) : open);
        }
        return element + " [" + String.join(", ", dimensions) + "]";
    }

    /// "'input' (float32 [batch, 3, 224, 224])"
    @Override
    public String toString() {
        return "'" + name + "' (" + typeText() + ")";
    }
}
