package dev.millrace.models.tuning;

import java.util.ArrayList;
import java.util.List;

/// Rates of repeated measurements, until they agree or the time is up. Disturbances can only slow a run down, so the
/// best rate counts.
final class MeasurementRounds {
    /// The minimum number of rates. They agree if the second best reaches this share of the best.
    private static final int LEAST = 3;

    private static final double AGREE = 0.97;

    private final List<Double> rates = new ArrayList<>();

    void add(double rate) {
        rates.add(rate);
        rates.sort(null);
    }

    boolean isStable() {
        return rates.size() >= LEAST && rates.get(rates.size() - 2) >= AGREE * best();
    }

    double best() {
        return rates.isEmpty() ? 0 : rates.getLast();
    }
}
