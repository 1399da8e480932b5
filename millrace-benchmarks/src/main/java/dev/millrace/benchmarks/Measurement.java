package dev.millrace.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// What one engine needed for one workload.
///
/// @param seconds the figure that counts: the best of `all`, unless the workload says otherwise
/// @param all the seconds of each time, in order
/// @param rssMb the most memory at one time, in millions of bytes; for a peer of several processes, shared pages once
/// @param result equal results mean equal work
/// @param figures what the workload measures besides, by name
public record Measurement(double seconds, List<Double> all, long rssMb, String result, Map<String, Double> figures) {
    public Measurement {
        all = List.copyOf(all);
        figures = Map.copyOf(figures);
    }

    /// The best of all times.
    public static Measurement best(List<Double> all, long rssMb, String result) {
        return new Measurement(all.stream().min(Double::compare).orElseThrow(), all, rssMb, result, Map.of());
    }

    /// The median of all times, of this process.
    public static Measurement median(List<Double> all, String result) {
        return new Measurement(Median.of(all), all, ProcessMemory.peakMb(), result, Map.of());
    }

    /// Runs the work some times in this process.
    public static Measurement repeat(int times, Callable<?> work) throws Exception {
        List<Double> seconds = new ArrayList<>();
        String result = null;
        for (int i = 0; i < times; i++) {
            long began = System.nanoTime();
            result = String.valueOf(work.call());
            seconds.add((System.nanoTime() - began) / 1e9);
        }
        return best(seconds, ProcessMemory.peakMb(), result);
    }

    public Measurement with(String figure, double value) {
        Map<String, Double> more = new HashMap<>(figures);
        more.put(figure, value);
        return new Measurement(seconds, all, rssMb, result, more);
    }

    /// With a rate of `amount` in the seconds that count.
    public Measurement perSecond(String figure, double amount) {
        return with(figure, amount / seconds);
    }
}
