package dev.millrace.preprocess;

import java.util.ArrayList;
import java.util.List;

/// The steps of a preprocessor that makes one of each of its columns.
final class ColumnSteps {
    private ColumnSteps() {}

    /// Makes the step from a column to its output.
    interface Maker {
        Step step(String column, String output);
    }

    /// @param outputs as many as there are columns
    static List<Step> each(List<String> columns, List<String> outputs, Maker maker) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            steps.add(maker.step(columns.get(i), outputs.get(i)));
        }
        return steps;
    }
}
