package dev.millrace.preprocess;

import dev.millrace.Dataset;
import dev.millrace.error.MillraceException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Preprocessors one after the other, each of which sees what those before it made. Those that read no columns that
/// others before them make learn in one pass together.
public record Chain(List<Preprocessor> preprocessors) implements Preprocessor {
    public Chain {
        preprocessors = List.copyOf(preprocessors);
        if (preprocessors.isEmpty()) {
            throw MillraceException.user("Chain: give at least one preprocessor.");
        }
    }

    /// Preprocessors one after the other, each over what those before it made.
    public static Chain of(Preprocessor... preprocessors) {
        return new Chain(List.of(preprocessors));
    }

    /// The columns that must be there before the first.
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

    /// Without chains in chains.
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
