package dev.millrace.models;

import dev.millrace.batch.Batch;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Costs;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.onnx.ModelCalls;
import dev.millrace.internal.onnx.OnnxOptions;
import dev.millrace.internal.onnx.OpenModel;
import dev.millrace.models.tensor.ModelTensor;
import java.io.NotSerializableException;
import java.util.List;
import java.util.OptionalInt;

/// A loaded model, called with batches. An actor creates one by [OnnxModel#create] and closes it at its end.
/// Thread-safe.
public final class LoadedModel implements BatchFunction, AutoCloseable {
    private static final long serialVersionUID = 1L;

    private final transient OpenModel model;
    private final transient ModelCalls calls;

    private LoadedModel(OpenModel model, ModelCalls calls) {
        this.model = model;
        this.calls = calls;
    }

    static LoadedModel load(OnnxOptions options) {
        long began = System.nanoTime();
        try (ResourceScope scope = new ResourceScope()) {
            OpenModel model = scope.add(OpenModel.open(options));
            LoadedModel loaded = new LoadedModel(model, new ModelCalls(model, options));
            Costs.loaded("OnnxModel", System.nanoTime() - began);
            return scope.keep(loaded);
        }
    }

    /// The batch with the outputs of the model; see [OnnxModel] for inputs and outputs.
    @Override
    public Batch apply(Batch batch) {
        return calls.apply(batch);
    }

    /// The inputs of the model.
    public List<ModelTensor> inputs() {
        return model.inputs();
    }

    /// The outputs of the model.
    public List<ModelTensor> outputs() {
        return model.outputs();
    }

    /// The column that was named for an input; the input's own name by default.
    public String columnOf(ModelTensor input) {
        return calls.columnOf(input);
    }

    /// The number of threads of one call.
    public int threads() {
        return model.threads();
    }

    /// The device that it runs on; empty: CPUs.
    public OptionalInt gpu() {
        return model.gpu() == null ? OptionalInt.empty() : OptionalInt.of(model.gpu());
    }

    /// The number of bytes copied between columns and the model so far. It is usually 0: columns are read and written
    /// in place, unless a batch is padded, booleans are converted to bytes, or the shape of an output is not known.
    public long copiedBytes() {
        return calls.copiedBytes();
    }

    @Override
    public void close() {
        model.close();
    }

    private Object writeReplace() throws NotSerializableException {
        throw new NotSerializableException(
                LoadedModel.class.getName() + " (ship the OnnxModel, and let actors load it: Compute.actors)");
    }
}
