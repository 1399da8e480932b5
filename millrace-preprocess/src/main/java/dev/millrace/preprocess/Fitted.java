package dev.millrace.preprocess;

import dev.millrace.Dataset;
import dev.millrace.batch.Batch;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.commit.WholeFiles;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What a [Preprocessor] learnt: steps, each of which makes a column. An immutable value that can be saved as JSON and
/// is the same when it is loaded.
public record Fitted(List<Step> steps) implements Serializable {
    public Fitted {
        steps = List.copyOf(steps);
    }

    /// The dataset with the steps' columns: lazy, by expressions that the optimiser sees. Columns that are not there
    /// and of types that do not fit are errors at the call, as far as the dataset's columns are known.
    public Dataset transform(Dataset dataset) {
        Dataset result = dataset;
        List<Expression> together = new ArrayList<>();
        Set<String> made = new HashSet<>();
        for (Step step : steps) {
            // Steps in one projection see the columns before it.
            if (made.contains(step.output()) || step.inputs().stream().anyMatch(made::contains)) {
                result = result.withColumns(together.toArray(Expression[]::new));
                together.clear();
                made.clear();
            }
            together.add(step.expression().as(step.output()));
            made.add(step.output());
            if (!step.dropped().isEmpty()) {
                result = result.withColumns(together.toArray(Expression[]::new))
                        .drop(step.dropped().toArray(String[]::new));
                together.clear();
                made.clear();
            }
        }
        return together.isEmpty() ? result : result.withColumns(together.toArray(Expression[]::new));
    }

    /// The same for rows in hand, at once: where a model is served, or within `mapBatches`.
    public Batch transformBatch(Batch batch) {
        Batch result = batch;
        for (Step step : steps) {
            result = result.with(step.output(), step.expression());
            if (!step.dropped().isEmpty()) {
                result = result.without(step.dropped().toArray(String[]::new));
            }
        }
        return result;
    }

    /// What takes transformed columns back to what they were: categories of their numbers, values of scaled ones.
    ///
    /// @throws MillraceException culprit USER, where a step cannot be undone
    public Fitted inverse() {
        List<Step> undone = new ArrayList<>();
        for (Step step : steps.reversed()) {
            undone.add(step.inverse()
                    .orElseThrow(() -> MillraceException.user("inverse: what made the column '" + step.output()
                            + "' cannot be undone: values were lost. Numbers of categories can, and scaled columns"
                            + " whose values differ.")));
        }
        return new Fitted(undone);
    }

    /// All that was learnt, as JSON.
    public String toJson() {
        return StepJson.write(steps);
    }

    /// Reads what [#toJson] wrote.
    ///
    /// @throws MillraceException culprit DATA, where it is not what [#toJson] wrote
    public static Fitted fromJson(String json) {
        return new Fitted(StepJson.read(json));
    }

    /// A file that was there is replaced as a whole: whoever loads it meanwhile has the old one or the new.
    public void save(Path file) {
        try {
            WholeFiles.write(file, toJson());
        } catch (IOException e) {
            throw new MillraceException(Culprit.USER, "The preprocessor could not be saved to '" + file + "': " + e, e);
        }
    }

    /// What [#save] wrote.
    public static Fitted load(Path file) {
        String json;
        try {
            json = Files.readString(file);
        } catch (IOException e) {
            throw new MillraceException(Culprit.USER, "There is no preprocessor to load at '" + file + "': " + e, e);
        }
        return fromJson(json);
    }
}
