package dev.millrace.models;

import dev.millrace.error.MillraceException;
import dev.millrace.function.Factory;
import dev.millrace.function.OutputSchema;
import dev.millrace.internal.onnx.OnnxOptions;
import dev.millrace.internal.onnx.ResultColumns;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// An ONNX model and how it runs over batches: an immutable, serialisable description that loads the model once per
/// actor.
///
/// ```java
/// dataset.mapBatches(
///     OnnxModel.of("resnet50.onnx").input("image").softmax().topK(1).labels("imagenet.txt"),
///     Compute.actors(1, 4).batchSize(64));
/// ```
///
/// - **Inputs.** An input takes the column that [#input] names, else the column of its own name; the only input of a
///   model takes the only column that fits. A column of tensors (or fixed lists, or plain numbers) is read where it
/// lies,
///   without a copy. Element types must be equal; nulls are an error.
/// - **Batch.** A model with an open first dimension gets each batch as it is. One with a fixed first dimension gets so
///   many rows per run; the last ones are filled up, and what comes of the filling is cut off.
/// - **Outputs.** Each output becomes a column of its name: `[batch]` and `[batch, 1]` a column of numbers, anything
///   larger a column of tensors. With [#topK] the scores become the columns `class`, `score` and, with labels, `label`.
/// - **Schema.** The columns that come out are known when the dataset is described, so a wrong name behind the model is
///   an error at the call, see [#outputSchema].
/// - **Other columns** pass through, except the tensors that the model took: those are large, and [#keep] keeps them.
/// - **Threads.** One call runs on as many threads as the operator asks for CPUs, `Compute.cpus(2)`; 1 by default.
/// - **GPU.** With `Compute.gpus(1)` the model runs by CUDA on the actor's device; that needs the artifact
///   `com.microsoft.onnxruntime:onnxruntime_gpu` in place of `onnxruntime`.
/// - **Memory.** Weights and intermediate results are onnxruntime's own and not part of the session's block memory:
///   declare what one actor takes with `Compute.memory(bytes)`, so that no more actors start than fit.
public final class OnnxModel implements Factory<LoadedModel>, OutputSchema {
    private static final long serialVersionUID = 1L;

    private final OnnxOptions options;

    private OnnxModel(OnnxOptions options) {
        this.options = options;
    }

    /// A model, by its file, which is read where the actors are.
    ///
    /// @param path a file of this machine, or of any storage that is on the class path (`s3://bucket/model.onnx`)
    public static OnnxModel of(String path) {
        return new OnnxModel(OnnxOptions.of(Objects.requireNonNull(path)));
    }

    /// Loads a model as it is, for a factory: `mapBatches(() -> OnnxModel.load("model.onnx"), Compute.actors(2))`.
    public static LoadedModel load(String path) {
        return of(path).create();
    }

    /// The column for the only input.
    public OnnxModel input(String column) {
        return input("", column);
    }

    /// An input of the model takes a column of another name.
    public OnnxModel input(String input, String column) {
        return new OnnxModel(options.with(
                options.columns().withInput(Objects.requireNonNull(input), Objects.requireNonNull(column))));
    }

    /// Only this output, and others that are named so.
    public OnnxModel output(String output) {
        return output(output, output);
    }

    /// An output under another name.
    public OnnxModel output(String output, String column) {
        return new OnnxModel(options.with(
                options.columns().withOutput(Objects.requireNonNull(output), Objects.requireNonNull(column))));
    }

    /// Makes probabilities of the scores: exponentials of each row that add up to 1.
    public OnnxModel softmax() {
        OnnxOptions.Scores scores = options.scores();
        return with(new OnnxOptions.Scores(true, scores.topK(), scores.labelsPath(), scores.labels()));
    }

    /// The best `k` classes of each row in place of all scores: columns `class` (int32), `score` (float32) and, with
    /// labels, `label`. With more than one they are lists, the best first. Of equal scores the lower class comes first.
    public OnnxModel topK(int k) {
        if (k < 1) {
            throw MillraceException.user("topK: 1 or more classes, not " + k + ".");
        }
        OnnxOptions.Scores scores = options.scores();
        return with(new OnnxOptions.Scores(scores.softmax(), k, scores.labelsPath(), scores.labels()));
    }

    /// The names of the classes: a text file with one on each line, class 0 first.
    public OnnxModel labels(String path) {
        OnnxOptions.Scores scores = options.scores();
        return with(new OnnxOptions.Scores(scores.softmax(), scores.topK(), Objects.requireNonNull(path), null));
    }

    /// The same with the names themselves.
    public OnnxModel labels(List<String> names) {
        OnnxOptions.Scores scores = options.scores();
        return with(new OnnxOptions.Scores(scores.softmax(), scores.topK(), null, List.copyOf(names)));
    }

    /// Columns of tensors that stay although the model takes them.
    public OnnxModel keep(String... columns) {
        return new OnnxModel(options.with(options.columns().keeping(List.of(columns))));
    }

    /// Columns that do not come out.
    public OnnxModel drop(String... columns) {
        return new OnnxModel(options.with(options.columns().dropping(List.of(columns))));
    }

    /// Stands before the name of each column that the model makes: "predicted_" gives `predicted_label`.
    public OnnxModel prefix(String prefix) {
        return new OnnxModel(options.with(options.columns().withPrefix(Objects.requireNonNull(prefix))));
    }

    /// Threads of one call, instead of the operator's CPUs.
    public OnnxModel threads(int threads) {
        if (threads < 1) {
            throw MillraceException.user("threads: 1 or more, not " + threads + ".");
        }
        OnnxOptions.Execution run = options.execution();
        return with(new OnnxOptions.Execution(threads, run.spinning(), run.gpu(), run.oneSize(), run.config()));
    }

    /// Whether the threads of a call that wait for each other do so at full load. Unless this is said they do while a
    /// call runs, when the cores are theirs, and sleep between two calls, when reads and decoding have the cores.
    /// With true they spin between calls, too; with false never, which is kinder to a machine with other work to do.
    public OnnxModel spinning(boolean spins) {
        OnnxOptions.Execution run = options.execution();
        return with(new OnnxOptions.Execution(run.threads(), spins, run.gpu(), run.oneSize(), run.config()));
    }

    /// Runs on this GPU, whatever the operator asks for.
    public OnnxModel gpu(int device) {
        if (device < 0) {
            throw MillraceException.user("gpu: the number of a device, 0 or more, not " + device + ".");
        }
        OnnxOptions.Execution run = options.execution();
        return with(new OnnxOptions.Execution(run.threads(), run.spinning(), device, run.oneSize(), run.config()));
    }

    /// Fills short batches up to the longest one so far and cuts off what comes of the filling, so that the model sees
    /// one size only. On GPUs this is so unless said otherwise: there every change of size has cuDNN choose its
    /// algorithms anew, which takes longer than many batches.
    public OnnxModel oneBatchSize(boolean fills) {
        OnnxOptions.Execution run = options.execution();
        return with(new OnnxOptions.Execution(run.threads(), run.spinning(), run.gpu(), fills, run.config()));
    }

    /// An entry of onnxruntime's session configuration, e.g. `session.set_denormal_as_zero`.
    public OnnxModel option(String key, String value) {
        return with(options.execution().withConfig(Objects.requireNonNull(key), Objects.requireNonNull(value)));
    }

    /// Loads the model, for the actor whose factory calls this.
    @Override
    public LoadedModel create() {
        return LoadedModel.load(options);
    }

    /// By what a file of this machine declares; the model is not loaded. Empty for models of other storages, and where
    /// the shape of an output is known only when the model runs.
    @Override
    public Optional<Schema> outputSchema(Schema input) {
        return ResultColumns.declared(options, input);
    }

    private OnnxModel with(OnnxOptions.Scores scores) {
        return new OnnxModel(options.with(scores));
    }

    private OnnxModel with(OnnxOptions.Execution execution) {
        return new OnnxModel(options.with(execution));
    }

    @Override
    public String toString() {
        return "OnnxModel(" + options.fileName() + ")";
    }
}
