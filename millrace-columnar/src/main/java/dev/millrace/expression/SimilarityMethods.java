package dev.millrace.expression;

import org.jspecify.annotations.Nullable;

/// Distances and similarities of two texts, counted in code points, and of two vectors. A vector is a list, a fixed
/// list or a tensor of numbers; both have the same number of elements in a row, or it is an error. Null if an operand
/// or an element is null. Vectors are computed in float64.
sealed interface SimilarityMethods permits Expression {

    /// The number of characters to insert, remove or replace to get from one text to the other, as int32.
    default Expression levenshteinDistance(@Nullable Object other) {
        return Call.of(SimilarityFunction.LEVENSHTEIN, (Expression) this, other);
    }

    /// Like [#levenshteinDistance], where swapping two neighbours is one change too.
    default Expression damerauLevenshteinDistance(@Nullable Object other) {
        return Call.of(SimilarityFunction.DAMERAU_LEVENSHTEIN, (Expression) this, other);
    }

    /// The number of positions at which two texts of the same length differ, as int32. Other lengths are an error.
    default Expression hammingDistance(@Nullable Object other) {
        return Call.of(SimilarityFunction.HAMMING, (Expression) this, other);
    }

    /// The Jaro similarity, from 0 to 1; 0 if a text is empty.
    default Expression jaroSimilarity(@Nullable Object other) {
        return Call.of(SimilarityFunction.JARO, (Expression) this, other);
    }

    /// The Jaro-Winkler similarity, from 0 to 1: above 0.7, up to four equal first characters count more.
    default Expression jaroWinklerSimilarity(@Nullable Object other) {
        return Call.of(SimilarityFunction.JARO_WINKLER, (Expression) this, other);
    }

    /// The number of distinct characters in both texts by the number in either, from 0 to 1; 1 if both are empty.
    default Expression jaccardSimilarity(@Nullable Object other) {
        return Call.of(SimilarityFunction.JACCARD, (Expression) this, other);
    }

    /// The sum of the products of the elements.
    default Expression dotProduct(@Nullable Object other) {
        return Call.of(SimilarityFunction.DOT_PRODUCT, (Expression) this, other);
    }

    /// The cosine of the angle between the vectors, from -1 to 1; NaN if one of them is zero.
    default Expression cosineSimilarity(@Nullable Object other) {
        return Call.of(SimilarityFunction.COSINE_SIMILARITY, (Expression) this, other);
    }

    /// One minus [#cosineSimilarity], from 0 to 2.
    default Expression cosineDistance(@Nullable Object other) {
        return Call.of(SimilarityFunction.COSINE_DISTANCE, (Expression) this, other);
    }

    /// The length of the difference of the vectors.
    default Expression euclideanDistance(@Nullable Object other) {
        return Call.of(SimilarityFunction.EUCLIDEAN_DISTANCE, (Expression) this, other);
    }
}
