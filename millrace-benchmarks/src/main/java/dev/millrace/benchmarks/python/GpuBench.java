package dev.millrace.benchmarks.python;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.compute.Compute;
import dev.millrace.images.ImageNetPreprocess;
import dev.millrace.python.PythonUdf;
import dev.millrace.stats.GpuStats;
import dev.millrace.stats.RunStats;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// `bench gpu`: images per second from JPEG files to labels in Parquet files, through a model in a Python worker,
/// beside the same model alone in the same run, before and after; the idle time of the GPU, and where the time goes.
public final class GpuBench {
    private static final int ROUNDS = 3;
    private static final int BATCH = 256;
    private static final int BATCH_ON_CPU = 32;

    /// @param device "cuda", or "cpu" to try the measurement itself
    /// @param decode "cpu": tasks decode and crop; "device": the worker does, on a GPU by nvJPEG
    /// @param python the interpreter; null: the environment `torch` of `tools/python`
    public record Options(
            String device, String decode, @Nullable String python) {
        public Options {
            if (!device.equals("cpu") && !device.startsWith("cuda")) {
                throw new IllegalArgumentException("--device is cuda or cpu, not '" + device + "'.");
            }
            if (!decode.equals("cpu") && !decode.equals("device")) {
                throw new IllegalArgumentException("--decode is cpu or device, not '" + decode + "'.");
            }
        }

        boolean isGpu() {
            return !device.equals("cpu");
        }
    }

    private final Options options;
    private final int images;
    private final int batch;
    private final double seconds;
    private final PrintWriter out;

    /// @param scale 1 for the usual number of images
    public GpuBench(Options options, double scale, PrintWriter out) {
        this.options = options;
        this.images = Math.max(64, (int) ((options.isGpu() ? 16_000 : 1_000) * scale));
        this.batch = options.isGpu() ? BATCH : BATCH_ON_CPU;
        this.seconds = Math.max(1, (options.isGpu() ? 10 : 5) * scale);
        this.out = out;
    }

    public void run() throws Exception {
        String python = options.python() == null ? BenchPython.environment("torch") : options.python();
        Path folder = Files.createTempDirectory("millrace-gpu-bench");
        try {
            Path photos = Files.createDirectory(folder.resolve("photos"));
            IngestBench.photographs(photos, images);
            Path script = BenchPython.script(folder, "gpu_model.py");
            if (!options.isGpu()) {
                say("A small network on the CPU in place of ResNet-50 on a GPU: this tries the measurement, and says"
                        + " nothing of a GPU.");
            }
            double before = alone(python, script);
            double best = 0;
            Dataset last = null;
            try (Session session = Session.open()) {
                for (int round = 0; round < ROUNDS; round++) {
                    Dataset labels = labels(session, photos, script, python);
                    long began = System.nanoTime();
                    labels.writeParquet(folder.resolve("labels-" + round).toString());
                    double speed = images / ((System.nanoTime() - began) / 1e9);
                    say(String.format(Locale.ROOT, "  round %d: %.0f images/s", round + 1, speed));
                    best = Math.max(best, speed);
                    last = labels;
                }
                double after = alone(python, script);
                report(before, after, best, last);
            }
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private Dataset labels(Session session, Path photos, Path script, String python) {
        PythonUdf model = PythonUdf.of(script.toString(), "Classifier")
                .args(options.device(), options.decode())
                .python(python);
        Compute actor = Compute.actors(1).batchSize(batch);
        Dataset read = options.decode().equals("cpu")
                ? session.readImages(photos + "/*.jpg")
                        .mapBatches(ImageNetPreprocess.standard().uint8())
                : session.readBinaryFiles(photos + "/*.jpg");
        return read.mapBatches(model, options.isGpu() ? actor.gpus(1) : actor);
    }

    private double alone(String python, Path script) throws IOException, InterruptedException, BenchFailure {
        return BenchPython.number(
                List.of(
                        python,
                        script.toString(),
                        "alone",
                        BenchPython.packageFolder(),
                        options.device(),
                        String.valueOf(batch),
                        String.valueOf(seconds)),
                "the model alone");
    }

    private void report(double before, double after, double best, @Nullable Dataset last) {
        double alone = Math.max(before, after);
        say(String.format(
                Locale.ROOT, "%-52s %8.0f and %.0f images/s", "the model alone, before and after", before, after));
        say(String.format(
                Locale.ROOT,
                "%-52s %8.0f images/s, %.0f %% of the model's",
                "JPEG files to labels in Parquet, decoded by "
                        + (options.decode().equals("cpu") ? "tasks" : "the worker"),
                best,
                100 * best / alone));
        if (last == null) {
            return;
        }
        List<GpuStats> gpus = last.lastRun().map(RunStats::gpus).orElse(List.of());
        if (gpus.isEmpty()) {
            say(
                    options.isGpu()
                            ? "The GPU's idle time is not known: nvidia-smi did not answer."
                            : "The GPU's idle time is not known: there was none.");
        }
        say("Where the time of the last round went:");
        say(last.stats());
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
