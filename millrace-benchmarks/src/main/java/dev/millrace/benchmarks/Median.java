package dev.millrace.benchmarks;

import java.util.List;

/// The median, which is robust against outliers.
public final class Median {
    /// The runs at the beginning of a process that are not counted: in them an engine loads, compiles and fills caches.
    public static final int UNCOUNTED = 2;

    private Median() {}

    /// The median of the runs after the first [#UNCOUNTED], of the last one where there are no more.
    public static double ofWarm(List<Double> runs) {
        return of(runs.subList(Math.min(UNCOUNTED, runs.size() - 1), runs.size()));
    }

    public static double of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
