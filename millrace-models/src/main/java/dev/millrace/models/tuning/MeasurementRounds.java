package dev.millrace.models.tuning;

import java.util.ArrayList;
import java.util.List;

/// Rates of repeated measurements, until they agree or the time is up. Disturbance only makes slower, so the best
/// counts.
final class MeasurementRounds {
    /// The two best of so many agree by this.
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
