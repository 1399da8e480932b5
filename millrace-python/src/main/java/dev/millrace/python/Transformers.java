package dev.millrace.python;

import java.util.Objects;

/// Hugging Face models of a folder, run by the library `transformers` in Python workers, which must have it and torch:
///
/// ```java
/// questions.mapBatches(
///     Transformers.chat("models/qwen", "question", "answer").arg("max_new_tokens", 200).python("/opt/venv"),
///     Compute.actors(1).gpus(1).batchSize(256));
/// ```
///
/// Nothing is fetched: the folder has what `save_pretrained` writes, on the machines of the workers. The rows of a
/// batch are computed in parts of similar length, and keep their order. A null gives null. Arguments of all models, by
/// [PythonUdf#arg]: `device`, `dtype` ("float16"), `batch_tokens` (how many are computed at once, with padding),
/// `max_length` (longer texts are cut).
public final class Transformers {
    private static final String MODULE = "millrace.transformers";

    private Transformers() {}

    /// Texts that a causal language model writes behind those of a column. Arguments: `max_new_tokens`, and those of
    /// its `generate`, such as `do_sample` and `temperature`; without them the likeliest words are chosen.
    ///
    /// @param output the column that is added
    public static PythonUdf generate(String folder, String column, String output) {
        return model("Generate", folder, column, output);
    }

    /// The same with the model's chat template around each text, as what a user says. Argument: `system`, what the
    /// system says before.
    public static PythonUdf chat(String folder, String column, String output) {
        return generate(folder, column, output).arg("chat", true);
    }

    /// A vector for each text: the mean of the model's last states. Argument: `normalize`, false for vectors of any
    /// length.
    ///
    /// @param output the column that is added, a tensor of float32; a list in batches with nulls
    public static PythonUdf embed(String folder, String column, String output) {
        return model("Embed", folder, column, output);
    }

    private static PythonUdf model(String name, String folder, String column, String output) {
        return PythonUdf.module(MODULE, name)
                .args(Objects.requireNonNull(folder))
                .arg("column", Objects.requireNonNull(column))
                .arg("output", Objects.requireNonNull(output));
    }
}
