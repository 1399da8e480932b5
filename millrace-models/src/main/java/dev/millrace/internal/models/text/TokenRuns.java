package dev.millrace.internal.models.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// Groups texts into runs of a model. Texts of a run are padded to its longest one, and padding costs time, so texts of
/// similar length are grouped.
final class TokenRuns {
    private TokenRuns() {}

    /// @param tokens the tokens of each row; null: a row without text, which is in no run
    /// @param mostRows the maximum number of rows per run
    /// @return the rows of each run, the longest texts first; texts of equal length in their original order
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
