package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Call;
import dev.millrace.expression.SimilarityFunction;
import dev.millrace.type.DataType;

/// Distances and similarities of two columns of vectors, summed in float64 from the first element to the last.
final class VectorSimilarity extends ExpressionNode {
    private final SimilarityFunction function;
    private final ExpressionNode left;
    private final ExpressionNode right;
    private final Call call;

    VectorSimilarity(SimilarityFunction function, ExpressionNode left, ExpressionNode right, Call call) {
        super(DataType.FLOAT64);
        this.function = function;
        this.left = left;
        this.right = right;
        this.call = call;
    }

    @Override
    Column column(EvaluationRows rows) {
        try (HeldColumn first = left.values(rows);
                HeldColumn second = right.values(rows);
                FixedOutput output = new FixedOutput(type(), rows)) {
            VectorValues a = new VectorValues(first.column());
            VectorValues b = new VectorValues(second.column());
            long[] valid = new long[BitWords.words(rows.count())];
            double[] x = new double[0];
            double[] y = x;
            for (long row = 0; row < rows.count(); row++) {
                if (a.isNull(row) || b.isNull(row) || !rows.isActive(row)) {
                    continue;
                }
                int size = a.size(row);
                if (size != b.size(row)) {
                    throw MillraceException.data(call + ": vectors of " + size + " and " + b.size(row)
                            + " elements cannot be compared, in row " + row + " of the block.");
                }
                if (x.length < size) {
                    x = new double[size];
                    y = new double[size];
                }
                if (a.read(row, x) && b.read(row, y)) {
                    output.values().setAtIndex(JAVA_DOUBLE, row, compare(x, y, size));
                    BitWords.set(valid, row);
                }
            }
            return output.build(valid);
        }
    }

    private double compare(double[] x, double[] y, int size) {
        return switch (function) {
            case DOT_PRODUCT -> dot(x, y, size);
            case COSINE_SIMILARITY -> cosine(x, y, size);
            case COSINE_DISTANCE -> 1 - cosine(x, y, size);
            case EUCLIDEAN_DISTANCE -> {
                double sum = 0;
                for (int i = 0; i < size; i++) {
                    sum += (x[i] - y[i]) * (x[i] - y[i]);
                }
                yield Math.sqrt(sum);
            }
            case LEVENSHTEIN, DAMERAU_LEVENSHTEIN, HAMMING, JARO, JARO_WINKLER, JACCARD ->
                throw new IllegalArgumentException(function + " compares texts");
        };
    }

    private static double dot(double[] x, double[] y, int size) {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    /// Clamped, since rounding may lead beyond 1; NaN stays.
    private static double cosine(double[] x, double[] y, int size) {
        double cosine = dot(x, y, size) / Math.sqrt(dot(x, x, size) * dot(y, y, size));
        return Double.isNaN(cosine) ? cosine : Math.clamp(cosine, -1.0, 1.0);
    }
}
