package dev.millrace.benchmarks.soak;

import dev.millrace.Dataset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A pipeline so far: the dataset, its expected rows, and a description of how it was built.
///
/// @param letters the rows that must fail, by the name of their dead letters
/// @param exact whether all of them are certain to fail (a later limit may prevent some)
record Built(
        Dataset dataset, List<Map<String, Object>> rows, Map<String, Integer> letters, boolean exact, String text) {
    Built then(String verb, Dataset next, List<Map<String, Object>> nextRows) {
        return new Built(next, nextRows, letters, exact, text + "\n  ." + verb);
    }

    Built withRows(List<Map<String, Object>> others) {
        return new Built(dataset, others, letters, exact, text);
    }

    Built withLetters(String name, int count) {
        Map<String, Integer> more = new TreeMap<>(letters);
        more.merge(name, count, Integer::sum);
        return new Built(dataset, rows, more, exact, text);
    }

    /// Adds the expected dead letters of another pipeline that runs together with this one.
    Built plusLetters(Built other) {
        Map<String, Integer> more = new TreeMap<>(letters);
        other.letters.forEach((name, count) -> more.merge(name, count, Integer::sum));
        return new Built(dataset, rows, more, exact && other.exact, text);
    }

    Built inexact() {
        return new Built(dataset, rows, letters, false, text);
    }

    Built withoutLetters() {
        return new Built(dataset, rows, Map.of(), true, text);
    }

    int failures() {
        return letters.values().stream().mapToInt(Integer::intValue).sum();
    }
}
