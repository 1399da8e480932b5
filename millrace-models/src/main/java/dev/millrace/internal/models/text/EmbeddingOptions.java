package dev.millrace.internal.models.text;

import java.io.Serializable;

/// The options of an embedding.
///
/// @param maxLength the maximum number of tokens of a text; 0: the tokeniser's limit
/// @param mean whether to average the vectors of all tokens; otherwise the vector of the first token is used
/// @param normalised whether vectors are scaled to length 1
/// @param rowsPerRun the maximum number of texts per run of the model
public record EmbeddingOptions(
        String column, String target, int maxLength, boolean mean, boolean normalised, int rowsPerRun)
        implements Serializable {
    public static final EmbeddingOptions DEFAULT = new EmbeddingOptions("text", "embedding", 0, true, true, 32);

    public EmbeddingOptions withColumns(String from, String to) {
        return new EmbeddingOptions(from, to, maxLength, mean, normalised, rowsPerRun);
    }

    public EmbeddingOptions withMaxLength(int tokens) {
        return new EmbeddingOptions(column, target, tokens, mean, normalised, rowsPerRun);
    }

    public EmbeddingOptions withPooling(boolean ofAll, boolean toLengthOne) {
        return new EmbeddingOptions(column, target, maxLength, ofAll, toLengthOne, rowsPerRun);
    }

    public EmbeddingOptions withRowsPerRun(int rows) {
        return new EmbeddingOptions(column, target, maxLength, mean, normalised, rows);
    }
}
