package dev.millrace.expression;

/// Distances and similarities of texts and of vectors; see [SimilarityMethods] for their meaning.
public enum SimilarityFunction implements Function {
    LEVENSHTEIN,
    DAMERAU_LEVENSHTEIN,
    HAMMING,
    JARO,
    JARO_WINKLER,
    JACCARD,
    DOT_PRODUCT,
    COSINE_SIMILARITY,
    COSINE_DISTANCE,
    EUCLIDEAN_DISTANCE;

    /// Whether it compares texts; the others compare vectors.
    public boolean isOfTexts() {
        return switch (this) {
            case LEVENSHTEIN, DAMERAU_LEVENSHTEIN, HAMMING, JARO, JARO_WINKLER, JACCARD -> true;
            case DOT_PRODUCT, COSINE_SIMILARITY, COSINE_DISTANCE, EUCLIDEAN_DISTANCE -> false;
        };
    }
}
