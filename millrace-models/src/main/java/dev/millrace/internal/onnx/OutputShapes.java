package dev.millrace.internal.onnx;

import dev.millrace.models.tensor.ModelTensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Predicts the shapes of outputs before a run: from the declaration, from named dimensions that an input shares, or
/// from an earlier run with inputs of the same shapes. Thread-safe.
final class OutputShapes {
    private final Map<String, List<Long>> learned = new ConcurrentHashMap<>();
    private final Set<String> unsteady = ConcurrentHashMap.newKeySet();

    /// The shape of one row of the output; empty if it is unknown, or if the output does not have `run` rows.
    Optional<List<Long>> rowShape(ModelTensor output, List<BatchInput> inputs, long run) {
        boolean perRow = output.batch() == ModelTensor.OPEN || output.batch() == run;
        if (output.shape().isEmpty() || !perRow || unsteady.contains(output.name())) {
            return Optional.empty();
        }
        List<Long> shape = output.rowShape();
        if (!shape.contains(ModelTensor.OPEN)) {
            return Optional.of(shape);
        }
        List<Long> earlier = learned.get(key(output, inputs));
        if (earlier != null) {
            return Optional.of(earlier);
        }
        Map<String, Long> named = namedSizes(inputs);
        List<Long> resolved = new ArrayList<>();
        for (int i = 0; i < shape.size(); i++) {
            Long size =
                    shape.get(i) >= 0 ? shape.get(i) : named.get(output.names().get(i + 1));
            if (size == null) {
                return Optional.empty();
            }
            resolved.add(size);
        }
        return Optional.of(resolved);
    }

    /// Records that a run with these inputs returned rows of this shape.
    void learn(ModelTensor output, List<BatchInput> inputs, @Nullable List<Long> rowShape) {
        learned.put(key(output, inputs), rowShape);
    }

    /// Marks the shapes of these outputs as unpredictable: they depend on the data, or the declaration is wrong.
    void distrust(List<ModelTensor> outputs) {
        outputs.forEach(output -> unsteady.add(output.name()));
    }

    private static Map<String, Long> namedSizes(List<BatchInput> inputs) {
        Map<String, Long> sizes = new HashMap<>();
        for (BatchInput input : inputs) {
            List<String> names = input.input().names();
            for (int i = 0; i < input.rowShape().size() && i + 1 < names.size(); i++) {
                if (!names.get(i + 1).isEmpty()) {
                    sizes.put(names.get(i + 1), input.rowShape().get(i));
                }
            }
        }
        return sizes;
    }

    private static String key(ModelTensor output, List<BatchInput> inputs) {
        StringBuilder key = new StringBuilder(output.name());
        inputs.forEach(input -> key.append(' ').append(input.rowShape()));
        return key.toString();
    }
}
