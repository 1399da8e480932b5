package dev.millrace.preprocess;

import dev.millrace.Dataset;
import dev.millrace.error.MillraceException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A sequence of preprocessors, each applied to the output of those before it. Consecutive preprocessors that do not
/// read each other's outputs are fitted in one pass together.
public record Chain(List<Preprocessor> preprocessors) implements Preprocessor {
    public Chain {
        preprocessors = List.copyOf(preprocessors);
        if (preprocessors.isEmpty()) {
            throw MillraceException.user("Chain: give at least one preprocessor.");
        }
    }

    /// A sequence of preprocessors, each applied to the output of those before it.
    public static Chain of(Preprocessor... preprocessors) {
        return new Chain(List.of(preprocessors));
    }

    /// The columns that the input must have.
    @Override
    public List<String> columns() {
        Set<String> read = new LinkedHashSet<>();
        Set<String> made = new LinkedHashSet<>();
        for (Preprocessor each : preprocessors) {
            each.columns().stream().filter(column -> !made.contains(column)).forEach(read::add);
            made.addAll(each.outputs());
        }
        return List.copyOf(read);
    }

    @Override
    public List<String> outputs() {
        Set<String> made = new LinkedHashSet<>();
        preprocessors.forEach(each -> made.addAll(each.outputs()));
        return List.copyOf(made);
    }

    @Override
    public Fitted fit(Dataset dataset) {
        return new Fitted(PreprocessorFitting.steps(dataset, flat()));
    }

    /// The preprocessors with nested chains flattened.
    private List<ColumnPreprocessor> flat() {
        List<ColumnPreprocessor> all = new ArrayList<>();
        for (Preprocessor each : preprocessors) {
            switch (each) {
                case Chain chain -> all.addAll(chain.flat());
                case ColumnPreprocessor single -> all.add(single);
            }
        }
        return all;
    }
}
