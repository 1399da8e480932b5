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

/// A model in memory, called with batches. An actor makes one by [OnnxModel#create] and closes it at its end.
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

    /// The batch with the model's answers; see [OnnxModel] for what goes in and comes out.
    @Override
    public Batch apply(Batch batch) {
        return calls.apply(batch);
    }

    /// What the model takes.
    public List<ModelTensor> inputs() {
        return model.inputs();
    }

    /// What it gives.
    public List<ModelTensor> outputs() {
        return model.outputs();
    }

    /// The column that was named for an input; its own name, if none was.
    public String columnOf(ModelTensor input) {
        return calls.columnOf(input);
    }

    /// Threads that one call runs on.
    public int threads() {
        return model.threads();
    }

    /// The device that it runs on; empty: CPUs.
    public OptionalInt gpu() {
        return model.gpu() == null ? OptionalInt.empty() : OptionalInt.of(model.gpu());
    }

    /// Bytes that were copied between columns and the model so far. 0 is the rule: columns are read and written where
    /// they lie, unless a fixed batch is filled up, booleans become bytes, or the shape of an output is not known.
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
