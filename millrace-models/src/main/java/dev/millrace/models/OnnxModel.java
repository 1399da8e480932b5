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
/// - **Inputs.** An input reads the column that [#input] names, else the column of its own name; the only input of a
///   model reads the only column that fits. A column of tensors (or fixed lists, or plain numbers) is read in place,
///   without a copy. Element types must be equal; nulls are an error.
/// - **Batch.** A model with an open first dimension gets each batch as it is. A model with a fixed first dimension
///   gets that many rows per run; the last run is padded, and the results of the padding are discarded.
/// - **Outputs.** Each output becomes a column of its name: `[batch]` and `[batch, 1]` a column of numbers, larger
///   shapes a column of tensors. With [#topK] the scores are replaced by the columns `class`, `score` and, with labels,
///   `label`.
/// - **Schema.** The result columns are known when the dataset is described, so a wrong column name after the model is
///   an error at the call, see [#outputSchema].
/// - **Other columns** are passed through, except the tensors that the model reads, which are large; [#keep] keeps
///   them.
/// - **Threads.** One call uses as many threads as the operator requests CPUs, `Compute.cpus(2)`; 1 by default.
/// - **GPU.** With `Compute.gpus(1)` the model runs with CUDA on the actor's device; this requires the artifact
///   `com.microsoft.onnxruntime:onnxruntime_gpu` in place of `onnxruntime`.
/// - **Memory.** Weights and intermediate results are allocated by onnxruntime and not part of the session's block
///   memory: declare what one actor takes with `Compute.memory(bytes)`, so that no more actors start than fit.
public final class OnnxModel implements Factory<LoadedModel>, OutputSchema {
    private static final long serialVersionUID = 1L;

    private final OnnxOptions options;

    private OnnxModel(OnnxOptions options) {
        this.options = options;
    }

    /// A model file, which is read on the machines where the actors run.
    ///
    /// @param path a local file, or one of any storage that is on the class path (`s3://bucket/model.onnx`)
    public static OnnxModel of(String path) {
        return new OnnxModel(OnnxOptions.of(Objects.requireNonNull(path)));
    }

    /// Loads a model with default options, for a factory: `mapBatches(() -> OnnxModel.load("model.onnx"),
    /// Compute.actors(2))`.
    public static LoadedModel load(String path) {
        return of(path).create();
    }

    /// The column for the only input.
    public OnnxModel input(String column) {
        return input("", column);
    }

    /// The column for an input whose name differs.
    public OnnxModel input(String input, String column) {
        return new OnnxModel(options.with(
                options.columns().withInput(Objects.requireNonNull(input), Objects.requireNonNull(column))));
    }

    /// Selects this output; without such calls all outputs are returned.
    public OnnxModel output(String output) {
        return output(output, output);
    }

    /// Selects this output under another name.
    public OnnxModel output(String output, String column) {
        return new OnnxModel(options.with(
                options.columns().withOutput(Objects.requireNonNull(output), Objects.requireNonNull(column))));
    }

    /// Converts the scores of each row to probabilities by softmax.
    public OnnxModel softmax() {
        OnnxOptions.Scores scores = options.scores();
        return with(new OnnxOptions.Scores(true, scores.topK(), scores.labelsPath(), scores.labels()));
    }

    /// Replaces the scores by the best `k` classes of each row: columns `class` (int32), `score` (float32) and, with
    /// labels, `label`. With more than one they are lists, the best first. Among equal scores the lower class comes
    /// first.
    public OnnxModel topK(int k) {
        if (k < 1) {
            throw MillraceException.user("topK: 1 or more classes, not " + k + ".");
        }
        OnnxOptions.Scores scores = options.scores();
        return with(new OnnxOptions.Scores(scores.softmax(), k, scores.labelsPath(), scores.labels()));
    }

    /// The names of the classes: a text file with one per line, class 0 first.
    public OnnxModel labels(String path) {
        OnnxOptions.Scores scores = options.scores();
        return with(new OnnxOptions.Scores(scores.softmax(), scores.topK(), Objects.requireNonNull(path), null));
    }

    /// The names of the classes, class 0 first.
    public OnnxModel labels(List<String> names) {
        OnnxOptions.Scores scores = options.scores();
        return with(new OnnxOptions.Scores(scores.softmax(), scores.topK(), null, List.copyOf(names)));
    }

    /// Tensor columns that are kept although the model reads them.
    public OnnxModel keep(String... columns) {
        return new OnnxModel(options.with(options.columns().keeping(List.of(columns))));
    }

    /// Columns that are dropped from the result.
    public OnnxModel drop(String... columns) {
        return new OnnxModel(options.with(options.columns().dropping(List.of(columns))));
    }

    /// The prefix of the name of each column that the model adds: "predicted_" gives `predicted_label`.
    public OnnxModel prefix(String prefix) {
        return new OnnxModel(options.with(options.columns().withPrefix(Objects.requireNonNull(prefix))));
    }

    /// The number of threads of one call, instead of the operator's CPUs.
    public OnnxModel threads(int threads) {
        if (threads < 1) {
            throw MillraceException.user("threads: 1 or more, not " + threads + ".");
        }
        OnnxOptions.Execution run = options.execution();
        return with(new OnnxOptions.Execution(threads, run.spinning(), run.gpu(), run.oneSize(), run.config()));
    }

    /// Whether idle threads of a call spin while they wait for each other. By default they spin during a call, when the
    /// cores are theirs, and sleep between calls, when reads and decoding use the cores. With true they spin between
    /// calls, too; with false never, which leaves more CPU to other work on the machine.
    public OnnxModel spinning(boolean spins) {
        OnnxOptions.Execution run = options.execution();
        return with(new OnnxOptions.Execution(run.threads(), spins, run.gpu(), run.oneSize(), run.config()));
    }

    /// Runs on this GPU, regardless of what the operator requests.
    public OnnxModel gpu(int device) {
        if (device < 0) {
            throw MillraceException.user("gpu: the number of a device, 0 or more, not " + device + ".");
        }
        OnnxOptions.Execution run = options.execution();
        return with(new OnnxOptions.Execution(run.threads(), run.spinning(), device, run.oneSize(), run.config()));
    }

    /// Pads short batches to the longest one so far and discards the results of the padding, so that the model sees one
    /// size only. This is the default on GPUs: there every change of size makes cuDNN choose its algorithms again,
    /// which takes longer than many batches.
    public OnnxModel oneBatchSize(boolean fills) {
        OnnxOptions.Execution run = options.execution();
        return with(new OnnxOptions.Execution(run.threads(), run.spinning(), run.gpu(), fills, run.config()));
    }

    /// An entry of onnxruntime's session configuration, e.g. `session.set_denormal_as_zero`.
    public OnnxModel option(String key, String value) {
        return with(options.execution().withConfig(Objects.requireNonNull(key), Objects.requireNonNull(value)));
    }

    /// Loads the model; called by the actor.
    @Override
    public LoadedModel create() {
        return LoadedModel.load(options);
    }

    /// Determined by the declarations in a local file; the model is not loaded. Empty for models in other storages, and
    /// if the shape of an output is known only after a run.
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
