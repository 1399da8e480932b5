package dev.millrace.benchmarks.suite;

import dev.millrace.benchmarks.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The outcomes of a run in a file: a line each, with tabs between workload, mode, engine, seconds, CPU seconds,
/// megabytes and result. A later run is compared with it.
public final class Baseline {
    private static final int FIELDS = 7;

    private Baseline() {}

    /// Writes them, in place of what is there.
    public static void write(Path file, List<Outcome> outcomes) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            lines.add(String.join(
                    "\t",
                    outcome.workload(),
                    outcome.mode().name(),
                    outcome.engine(),
                    String.format(Locale.ROOT, "%.6f", outcome.seconds()),
                    String.format(Locale.ROOT, "%.3f", outcome.cpuSeconds()),
                    Long.toString(outcome.peakMb()),
                    outcome.result().replaceAll("\\s", " ")));
        }
        Files.write(file, lines);
    }

    /// @throws BenchFailure a sentence, if the file is not one that [#write] has written
    public static List<Outcome> read(Path file) throws IOException, BenchFailure {
        List<Outcome> outcomes = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.split("\t", FIELDS);
            try {
                outcomes.add(new Outcome(
                        fields[0],
                        Outcome.Mode.valueOf(fields[1]),
                        fields[2],
                        Double.parseDouble(fields[3]),
                        Double.parseDouble(fields[4]),
                        Long.parseLong(fields[5]),
                        fields[6],
                        List.of()));
            } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                throw new BenchFailure("line " + (outcomes.size() + 1) + " of " + file
                        + " is no result of 'millrace bench all': " + line);
            }
        }
        return outcomes;
    }
}
