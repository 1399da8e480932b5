package dev.millrace.internal.models.text;

import java.io.Serializable;

/// What a user may say of an embedding.
///
/// @param maxLength tokens of a text; 0: as the tokeniser says
/// @param mean of the vectors of all tokens; else that of the first
/// @param normalised to the length 1
/// @param rowsPerRun texts that the model is called with together, at most
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
