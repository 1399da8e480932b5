package dev.millrace.internal.exchange;

import dev.millrace.internal.kernel.aggregate.ExactQuantiles;
import java.util.Arrays;

/// Finds a quantile among the rows of its part. One thread.
final class QuantileSearch {
    private final QuantileRanges.Place place;
    private final double[] between;
    private int count;
    /// Rows that are `low` or less.
    private long upToLow;

    /// @param room for as many numbers as the part has rows
    QuantileSearch(QuantileRanges.Place place, double[] room) {
        this.place = place;
        this.between = room;
        this.upToLow = place.upToLow();
    }

    /// @param number in the scale of the place
    void add(double number) {
        if (Double.compare(number, place.low()) <= 0) {
            upToLow++;
        } else if (Double.compare(number, place.high()) < 0) {
            between[count++] = number;
        }
    }

    /// Once, when all rows were added.
    double found() {
        Arrays.sort(between, 0, count);
        double low = at(place.rank());
        double high = place.beyond() == 0 ? low : at(place.rank() + 1);
        return ExactQuantiles.between(low, high, place.beyond(), place.scale());
    }

    private double at(long rank) {
        long behindLow = rank - upToLow;
        return behindLow < 0 ? place.low() : behindLow < count ? between[(int) behindLow] : place.high();
    }
}
