package dev.millrace.benchmarks;

import java.util.List;

/// The middle of some numbers: one slow time, or a lucky one, does not move it.
public final class Median {
    private Median() {}

    public static double of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
