package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.hash;

import dev.millrace.error.MillraceException;

/// Removes almost equal texts by locality-sensitive hashing: a band is a hash of a few MinHash values, and texts that
/// agree in a band are taken as equal.
final class NearDuplicates {
    private static final int BANDS = 8;
    private static final int MAX_HASHES = 256;
    private static final String BAND = "band of near duplicates";

    private NearDuplicates() {}

    static Dataset drop(Dataset dataset, String column, double similarity) {
        if (!(similarity > 0 && similarity < 1)) {
            throw MillraceException.user("dropNearDuplicates: the similarity must be above 0 and below 1, not "
                    + similarity + ". Equal texts are removed by distinct(\"" + column + "\").");
        }
        int hashes = hashes(similarity);
        Dataset left = dataset;
        for (int band = 0; band < BANDS; band++) {
            left = left.withColumn(BAND, hash(col(column).minHash(hashes, 1, band)))
                    .distinct(BAND)
                    .drop(BAND);
        }
        return left;
    }

    /// How many hashes of a band must agree, so that one of the bands is expected to agree at this similarity.
    static int hashes(double similarity) {
        return Math.clamp(Math.round(Math.log(BANDS) / -Math.log(similarity)), 1, MAX_HASHES);
    }
}
