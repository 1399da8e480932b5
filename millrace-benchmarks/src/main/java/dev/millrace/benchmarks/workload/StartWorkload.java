package dev.millrace.benchmarks.workload;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Median;
import dev.millrace.benchmarks.Project;
import dev.millrace.benchmarks.Workload;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The time until the first result: a new process started by the launcher, `range(10)`, its first row.
public final class StartWorkload implements Workload {
    /// The number of starts per requested run.
    private static final int STARTS = 3;

    @Override
    public String name() {
        return "start";
    }

    @Override
    public String sentence() {
        return "from the start of the process to the first result of range(10); the median of several";
    }

    @Override
    public long rows() {
        return 10;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        Path launcher = Project.root().resolve("millrace");
        start(launcher); // builds what is not built; not counted
        List<Start> starts = new ArrayList<>();
        for (int i = 0; i < STARTS * settings.times(); i++) {
            starts.add(start(launcher));
        }
        List<Double> seconds = starts.stream().map(Start::seconds).toList();
        long peakMb = starts.stream().mapToLong(Start::peakMb).max().orElseThrow();
        return new Measurement(
                Median.of(seconds), seconds, peakMb, starts.getFirst().result(), Map.of());
    }

    private record Start(double seconds, String result, long peakMb) {}

    private static Start start(Path launcher) throws IOException, InterruptedException, BenchFailure {
        long began = System.nanoTime();
        Process process = new ProcessBuilder(launcher.toString(), "first-result")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = process.inputReader()) {
            String result = lines.readLine();
            double seconds = (System.nanoTime() - began) / 1e9;
            String memory = lines.readLine();
            if (process.waitFor() != 0 || memory == null) {
                throw new BenchFailure(
                        "'" + launcher + " first-result' ended with exit code " + process.exitValue() + ".");
            }
            return new Start(seconds, result, Long.parseLong(memory));
        }
    }
}
