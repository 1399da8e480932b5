package dev.millrace.benchmarks.suite;

import dev.millrace.benchmarks.MeasuredProcess;
import dev.millrace.benchmarks.Median;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What one engine took for one workload.
///
/// @param seconds the median
/// @param cpuSeconds the median, of all its processes; not a number if it is unknown
/// @param peakMb the most memory of any run
/// @param all the seconds of each run, in order
public record Outcome(
        String workload,
        Mode mode,
        String engine,
        double seconds,
        double cpuSeconds,
        long peakMb,
        String result,
        List<Double> all) {
    /// Which runs are meant.
    public enum Mode {
        /// A fresh process each, from its start to its end.
        COLD,
        /// Several runs in one process, of which the first are not counted.
        WARM
    }

    public Outcome {
        all = List.copyOf(all);
    }

    static Outcome cold(String workload, String engine, List<MeasuredProcess> runs) {
        List<Double> seconds = runs.stream().map(run -> run.whole().seconds()).toList();
        return new Outcome(
                workload,
                Mode.COLD,
                engine,
                Median.of(seconds),
                Median.of(runs.stream().map(run -> run.whole().cpuSeconds()).toList()),
                runs.stream().mapToLong(MeasuredProcess::peakMb).max().orElseThrow(),
                runs.getFirst().result(),
                seconds);
    }

    static Outcome warm(String workload, String engine, MeasuredProcess run) {
        return new Outcome(
                workload,
                Mode.WARM,
                engine,
                Median.ofWarm(run.seconds()),
                run.cpuSeconds().isEmpty() ? Double.NaN : Median.ofWarm(run.cpuSeconds()),
                run.peakMb(),
                run.result(),
                run.seconds());
    }

    boolean isOurs() {
        return engine.startsWith(Contestant.OURS);
    }

    Map<String, Object> toFields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("engine", engine);
        fields.put("seconds", seconds);
        fields.put("cpu_seconds", cpuSeconds);
        fields.put("peak_mb", peakMb);
        fields.put("result", result);
        fields.put("all_seconds", all);
        return fields;
    }
}
