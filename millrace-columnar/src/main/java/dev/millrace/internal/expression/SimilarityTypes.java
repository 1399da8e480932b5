package dev.millrace.internal.expression;

import dev.millrace.expression.Call;
import dev.millrace.expression.SimilarityFunction;
import dev.millrace.type.DataType;
import java.util.List;

/// Result types of [SimilarityFunction]s.
final class SimilarityTypes {
    private SimilarityTypes() {}

    static DataType result(SimilarityFunction function, Call call, List<DataType> types) {
        for (int i = 0; i < 2; i++) {
            if (function.isOfTexts()) {
                CallArguments.requireText(call, i, types.get(i));
            } else {
                DataType type = types.get(i);
                boolean takes = type instanceof DataType.Null || VectorValues.isVector(type);
                CallArguments.require(takes, call, i, type, "a list or tensor of numbers");
            }
        }
        return switch (function) {
            case LEVENSHTEIN, DAMERAU_LEVENSHTEIN, HAMMING -> DataType.INT32;
            case JARO, JARO_WINKLER, JACCARD, DOT_PRODUCT, COSINE_SIMILARITY, COSINE_DISTANCE, EUCLIDEAN_DISTANCE ->
                DataType.FLOAT64;
        };
    }
}
