package dev.millrace.internal.expression;

import dev.millrace.expression.SimilarityFunction;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Distances and similarities of two texts, given as code points.
final class TextSimilarity {
    /// The similarity from which Winkler's bonus for equal first characters applies, and its terms.
    private static final double BONUS_FROM = 0.7;

    private static final double BONUS_PER_CHARACTER = 0.1;
    private static final int BONUS_CHARACTERS = 4;

    private TextSimilarity() {}

    static TextKernels.PairFunction of(SimilarityFunction function) {
        return switch (function) {
            case LEVENSHTEIN -> TextSimilarity::levenshtein;
            case DAMERAU_LEVENSHTEIN -> TextSimilarity::damerauLevenshtein;
            case HAMMING -> TextSimilarity::hamming;
            case JARO -> TextSimilarity::jaro;
            case JARO_WINKLER -> TextSimilarity::jaroWinkler;
            case JACCARD -> TextSimilarity::jaccard;
            case DOT_PRODUCT, COSINE_SIMILARITY, COSINE_DISTANCE, EUCLIDEAN_DISTANCE ->
                throw new IllegalArgumentException(function + " compares vectors");
        };
    }

    /// With one row of the table of distances between prefixes.
    static double levenshtein(int[] a, int[] b) {
        int[] distances = new int[b.length + 1];
        for (int j = 0; j <= b.length; j++) {
            distances[j] = j;
        }
        for (int i = 1; i <= a.length; i++) {
            int diagonal = distances[0];
            distances[0] = i;
            for (int j = 1; j <= b.length; j++) {
                int replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
                diagonal = distances[j];
                distances[j] = Math.min(replaced, 1 + Math.min(diagonal, distances[j - 1]));
            }
        }
        return distances[b.length];
    }

    /// Unrestricted, as Damerau defined it: other changes may happen between two swapped characters ("ca" to "abc" is
    /// two). Keeps for each row of the table where its character occurred last.
    static double damerauLevenshtein(int[] a, int[] b) {
        int[][] distances = new int[a.length + 2][b.length + 2];
        int far = a.length + b.length;
        distances[0][0] = far;
        for (int i = 0; i <= a.length; i++) {
            distances[i + 1][0] = far;
            distances[i + 1][1] = i;
        }
        for (int j = 0; j <= b.length; j++) {
            distances[0][j + 1] = far;
            distances[1][j + 1] = j;
        }
        Map<Integer, Integer> lastRows = new HashMap<>();
        for (int i = 1; i <= a.length; i++) {
            int lastColumn = 0;
            for (int j = 1; j <= b.length; j++) {
                int row = lastRows.getOrDefault(b[j - 1], 0);
                int column = lastColumn;
                boolean same = a[i - 1] == b[j - 1];
                lastColumn = same ? j : lastColumn;
                int replaced = distances[i][j] + (same ? 0 : 1);
                int inserted = 1 + Math.min(distances[i + 1][j], distances[i][j + 1]);
                int swapped = distances[row][column] + (i - row - 1) + 1 + (j - column - 1);
                distances[i + 1][j + 1] = Math.min(Math.min(replaced, inserted), swapped);
            }
            lastRows.put(a[i - 1], i);
        }
        return distances[a.length + 1][b.length + 1];
    }

    static double hamming(int[] a, int[] b) {
        if (a.length != b.length) {
            throw new IllegalArgumentException("the texts have " + a.length + " and " + b.length
                    + " characters, and only texts of one length have a Hamming distance");
        }
        int differing = 0;
        for (int i = 0; i < a.length; i++) {
            differing += a[i] == b[i] ? 0 : 1;
        }
        return differing;
    }

    static double jaro(int[] a, int[] b) {
        if (a.length == 0 || b.length == 0) {
            return 0;
        }
        int window = Math.max(0, Math.max(a.length, b.length) / 2 - 1);
        boolean[] taken = new boolean[b.length];
        int[] matched = new int[a.length];
        int matches = 0;
        for (int i = 0; i < a.length; i++) {
            int last = Math.min(b.length - 1, i + window);
            for (int j = Math.max(0, i - window); j <= last; j++) {
                if (!taken[j] && a[i] == b[j]) {
                    taken[j] = true;
                    matched[matches++] = a[i];
                    break;
                }
            }
        }
        if (matches == 0) {
            return 0;
        }
        int moved = 0;
        int next = 0;
        for (int j = 0; j < b.length; j++) {
            if (taken[j]) {
                moved += b[j] == matched[next] ? 0 : 1;
                next++;
            }
        }
        int swaps = moved / 2;
        double m = matches;
        return (m / a.length + m / b.length + (m - swaps) / m) / 3;
    }

    static double jaroWinkler(int[] a, int[] b) {
        double jaro = jaro(a, b);
        int most = Math.min(BONUS_CHARACTERS, Math.min(a.length, b.length));
        int equal = 0;
        while (equal < most && a[equal] == b[equal]) {
            equal++;
        }
        return jaro > BONUS_FROM ? jaro + equal * BONUS_PER_CHARACTER * (1 - jaro) : jaro;
    }

    static double jaccard(int[] a, int[] b) {
        int[] first = Arrays.stream(a).sorted().distinct().toArray();
        int[] second = Arrays.stream(b).sorted().distinct().toArray();
        int common = 0;
        for (int point : first) {
            common += Arrays.binarySearch(second, point) >= 0 ? 1 : 0;
        }
        int either = first.length + second.length - common;
        return either == 0 ? 1 : (double) common / either;
    }
}
