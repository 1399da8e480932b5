package dev.millrace.examples;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.Settings;
import dev.millrace.stats.Hint;
import dev.millrace.stats.RunStats;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/// The same job written well and badly: the cost of each common mistake, measured one at a time, and the hints that the
/// run itself gives.
public final class SlowAndRight {
    /// @param name in the table
    private record Way(String name, Function<SlowWays, Dataset> job) {}

    /// The outcome of one way.
    ///
    /// @param seconds it took
    /// @param cpuSeconds of all threads, which is comparable on a machine with other load too
    /// @param labels file to label, to check that all ways give the same result
    /// @param hints the hints of the run
    public record Outcome(
            String way, double seconds, double cpuSeconds, Map<String, String> labels, List<String> hints) {}

    private static final List<Way> WAYS = List.of(
            new Way("as it should be", SlowWays::right),
            new Way("the model is built for each batch", SlowWays::modelPerBatch),
            new Way("batches of one image", SlowWays::batchesOfOne),
            new Way("no pool: one copy on one core", SlowWays::noPool),
            new Way("one function decodes and classifies", SlowWays::decodingWithTheModel),
            new Way("float[][][][] instead of buffers", SlowWays::arraysOfArrays),
            new Way("all of them at once", SlowWays::allAtOnce));

    private SlowAndRight() {}

    /// Runs every way over some copies of the photographs and prints the table.
    ///
    /// @param folder for the unpacked model and photographs, and the copies
    /// @param images the number of photographs
    /// @param rounds the number of runs of each way; the best counts
    public static List<Outcome> run(Path folder, int images, int rounds, PrintStream out) throws IOException {
        if (images < 1 || rounds < 1) {
            throw MillraceException.user(
                    "1 or more images and rounds are needed, not " + images + " and " + rounds + ".");
        }
        ExampleFiles files = ExampleFiles.unpack(folder);
        Classification job = Classification.efficientNet(files);
        List<String> copies = copies(files.photos(), folder.resolve("copies"), images);
        List<Outcome> outcomes = new ArrayList<>();
        try (Session session = Session.open(Settings.DEFAULT.with(ProgressSettings.OFF))) {
            SlowWays ways = new SlowWays(session, job, copies);
            // One-time costs of a process, such as loading libraries, are not attributed to any way.
            new SlowWays(session, job, copies.subList(0, 1)).right().takeAll();
            out.printf(
                    Locale.ROOT,
                    "%d photographs, EfficientNet-Lite0, %d cores; the best of %d rounds:%n%n",
                    images,
                    cores(),
                    rounds);
            // Round by round, so that other load on the machine affects all ways equally.
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < WAYS.size(); i++) {
                    Outcome outcome = measure(WAYS.get(i), ways);
                    if (round == 0) {
                        outcomes.add(outcome);
                    } else if (outcome.seconds() < outcomes.get(i).seconds()) {
                        outcomes.set(i, outcome);
                    }
                }
            }
        }
        table(outcomes, images, out);
        hints(outcomes, out);
        return List.copyOf(outcomes);
    }

    private static Outcome measure(Way way, SlowWays ways) {
        Dataset job = way.job().apply(ways);
        double cpuBefore = cpuSeconds();
        long began = System.nanoTime();
        List<Row> rows = job.takeAll();
        double seconds = (System.nanoTime() - began) / 1e9;
        double cpu = cpuSeconds() - cpuBefore;
        Map<String, String> labels = new TreeMap<>();
        rows.forEach(
                row -> labels.put(Path.of(row.getString("path")).getFileName().toString(), row.getString("label")));
        List<String> hints = job.lastRun().map(RunStats::hints).orElse(List.of()).stream()
                .map(Hint::sentence)
                .toList();
        return new Outcome(way.name(), seconds, cpu, labels, hints);
    }

    private static void table(List<Outcome> outcomes, int images, PrintStream out) {
        double right = outcomes.getFirst().seconds();
        out.printf(Locale.ROOT, "%-38s %10s %10s %10s %8s%n", "", "seconds", "CPU", "images/s", "cost");
        for (int i = 0; i < outcomes.size(); i++) {
            Outcome outcome = outcomes.get(i);
            out.printf(
                    Locale.ROOT,
                    "%-38s %10.2f %10.2f %10.1f %8s%n",
                    outcome.way(),
                    outcome.seconds(),
                    outcome.cpuSeconds(),
                    images / outcome.seconds(),
                    i == 0 ? "" : String.format(Locale.ROOT, "x %.2f", outcome.seconds() / right));
        }
    }

    private static double cpuSeconds() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime() / 1e9
                : Double.NaN;
    }

    private static void hints(List<Outcome> outcomes, PrintStream out) {
        out.println();
        out.println("What stats() and the progress said:");
        for (Outcome outcome : outcomes) {
            out.println();
            out.println("- " + outcome.way() + ":");
            outcome.hints().forEach(hint -> out.println("    " + hint));
            if (outcome.hints().isEmpty()) {
                out.println("    nothing");
            }
        }
    }

    /// This many photographs, each under a name of its own.
    private static List<String> copies(Path photos, Path folder, int count) throws IOException {
        Files.createDirectories(folder);
        List<Path> originals;
        try (Stream<Path> all = Files.list(photos)) {
            originals = all.filter(file -> file.toString().endsWith(".jpg"))
                    .sorted()
                    .toList();
        }
        List<String> copies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Path original = originals.get(i % originals.size());
            Path copy = folder.resolve(i + "-" + original.getFileName());
            if (!Files.exists(copy)) {
                Files.copy(original, copy);
            }
            copies.add(copy.toString());
        }
        return copies;
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /// The same as `./millrace slow-and-right`.
    public static void main(String[] args) throws IOException {
        run(Path.of("build/slow-and-right"), 128, 2, System.out);
    }
}
