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

/// What a [Preprocessor] has learnt: steps, each of which computes a column. An immutable value that can be saved as
/// JSON and loaded again without a difference.
public record Fitted(List<Step> steps) implements Serializable {
    public Fitted {
        steps = List.copyOf(steps);
    }

    /// Adds the columns of the steps to the dataset: lazily, by expressions that the optimiser sees. Columns that do
    /// not exist or have the wrong type are errors at the call if the schema of the dataset is known.
    public Dataset transform(Dataset dataset) {
        Dataset result = dataset;
        List<Expression> together = new ArrayList<>();
        Set<String> made = new HashSet<>();
        for (Step step : steps) {
            // Steps in one projection see only the columns before the projection.
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

    /// Transforms one batch immediately: where a model is served, or within `mapBatches`.
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

    /// The inverse transformation: numbers back to categories, scaled values back to values.
    ///
    /// @throws MillraceException culprit USER, if a step has no inverse
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

    /// Everything learnt, as JSON.
    public String toJson() {
        return StepJson.write(steps);
    }

    /// Reads the result of [#toJson].
    ///
    /// @throws MillraceException culprit DATA, if the text is not a result of [#toJson]
    public static Fitted fromJson(String json) {
        return new Fitted(StepJson.read(json));
    }

    /// Writes the file, replacing an existing one atomically: a concurrent reader sees the old file or the new one.
    public void save(Path file) {
        try {
            WholeFiles.write(file, toJson());
        } catch (IOException e) {
            throw new MillraceException(Culprit.USER, "The preprocessor could not be saved to '" + file + "': " + e, e);
        }
    }

    /// Loads a file written by [#save].
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
