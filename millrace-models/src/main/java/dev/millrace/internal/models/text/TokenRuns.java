package dev.millrace.internal.models.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Which texts a model is called with together. Texts of a call are filled up to its longest one, and a model's work
/// grows with what is filled up, so texts of about the same length go together.
final class TokenRuns {
    private TokenRuns() {}

    /// @param tokens of each row; null: a row without text, which is in no run
    /// @param mostRows of one run
    /// @return rows of each run, the longest texts first; of equal length in their order
    static List<int[]> of(int[][] tokens, int mostRows) {
        int[] rows = IntStream.range(0, tokens.length)
                .filter(row -> tokens[row] != null)
                .boxed()
                .sorted(Comparator.comparingInt(row -> -tokens[row].length))
                .mapToInt(Integer::intValue)
                .toArray();
        List<int[]> runs = new ArrayList<>();
        for (int from = 0; from < rows.length; from += mostRows) {
            runs.add(Arrays.copyOfRange(rows, from, Math.min(rows.length, from + mostRows)));
        }
        return runs;
    }
}
