package dev.millrace.models;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.onnx.OnnxEnvironment;
import dev.millrace.internal.onnx.TensorViews;
import dev.millrace.iteration.DirectTensor;
import dev.millrace.iteration.TensorBatch;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A batch of tensors as onnxruntime tensors over the same memory, for a loop that runs a session itself:
///
/// ```java
/// for (TensorBatch batch : batches) {
///     try (OnnxTensors inputs = OnnxTensors.of(batch); OrtSession.Result result = session.run(inputs.map())) { ... }
/// }
/// ```
///
/// onnxruntime only reads its inputs, and buffers of tensors that are views of the dataset's memory are read-only here
/// too. Close it before requesting the next batch. Pipelines use [OnnxModel] instead.
public final class OnnxTensors implements AutoCloseable {
    private final Map<String, OnnxTensor> tensors = new LinkedHashMap<>();

    private OnnxTensors() {}

    /// All tensors of the batch by name.
    ///
    /// @throws MillraceException culprit USER, for unsigned integers of more than 8 bits, which onnxruntime's Java API
    ///     does not support
    public static OnnxTensors of(TensorBatch batch) {
        try (ResourceScope scope = new ResourceScope()) {
            OnnxTensors all = scope.add(new OnnxTensors());
            for (DirectTensor tensor : batch.tensors()) {
                all.tensors.put(tensor.name(), over(tensor));
            }
            return scope.keep(all);
        }
    }

    /// The environment for the program's own sessions, with the telemetry of onnxruntime 1.29 disabled, which crashes
    /// processes with a long command line.
    public static OrtEnvironment environment() {
        return OnnxEnvironment.get();
    }

    private static OnnxTensor over(DirectTensor tensor) {
        if (!TensorViews.takes(tensor.type())) {
            throw MillraceException.user("Tensor '" + tensor.name() + "' is of " + tensor.type()
                    + ", which onnxruntime's Java API does not take: ask for another type with dtype(\"" + tensor.name()
                    + "\", ...).");
        }
        // bytes() fails for more than 2 GiB.
        tensor.bytes();
        try {
            return TensorViews.over(environment(), tensor.segment(), tensor.shape(), tensor.type());
        } catch (OrtException e) {
            throw new MillraceException(
                    Culprit.INTERNAL,
                    "onnxruntime did not take tensor '" + tensor.name() + "' (" + tensor + "): " + e,
                    e);
        }
    }

    /// The inputs for `OrtSession.run`.
    public Map<String, OnnxTensor> map() {
        return Collections.unmodifiableMap(tensors);
    }

    /// A tensor by its name; a missing one is an error.
    public @Nullable OnnxTensor tensor(String name) {
        return tensors.get(name);
    }

    @Override
    public void close() {
        tensors.values().forEach(OnnxTensor::close);
        tensors.clear();
    }
}
