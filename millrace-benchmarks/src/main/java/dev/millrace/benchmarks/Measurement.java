package dev.millrace.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// The measurement of one engine and one workload.
///
/// @param seconds the reported time: the warm median of `all`, unless the workload defines another
/// @param all the seconds of each run, in order
/// @param rssMb the peak resident memory in millions of bytes; for a peer with several processes, shared pages count
///     once
/// @param result a summary of the result: equal results mean equal work
/// @param figures additional measurements of the workload, by name
public record Measurement(double seconds, List<Double> all, long rssMb, String result, Map<String, Double> figures) {
    public Measurement {
        all = List.copyOf(all);
        figures = Map.copyOf(figures);
    }

    /// Reports the median of the warm runs.
    public static Measurement warm(List<Double> all, long rssMb, String result) {
        return new Measurement(Median.ofWarm(all), all, rssMb, result, Map.of());
    }

    /// Reports the median time, for this process.
    public static Measurement median(List<Double> all, String result) {
        return new Measurement(Median.of(all), all, ProcessMemory.peakMb(), result, Map.of());
    }

    /// Runs the work several times in this process.
    public static Measurement repeat(BenchSettings settings, Callable<?> work) throws Exception {
        List<Double> seconds = new ArrayList<>();
        String result = "";
        for (int i = 0; i < settings.times(); i++) {
            settings.marks().begins();
            long began = System.nanoTime();
            result = String.valueOf(work.call());
            seconds.add((System.nanoTime() - began) / 1e9);
            settings.marks().ends();
        }
        return warm(seconds, ProcessMemory.peakMb(), result);
    }

    public Measurement with(String figure, double value) {
        Map<String, Double> more = new HashMap<>(figures);
        more.put(figure, value);
        return new Measurement(seconds, all, rssMb, result, more);
    }

    /// Adds the rate of `amount` per reported second.
    public Measurement perSecond(String figure, long amount) {
        return with(figure, amount / seconds);
    }
}
