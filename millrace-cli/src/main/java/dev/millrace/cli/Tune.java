package dev.millrace.cli;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.images.ImageNetPreprocess;
import dev.millrace.models.OnnxModel;
import dev.millrace.models.tuning.Tuning;
import dev.millrace.models.tuning.TuningReport;
import dev.millrace.settings.ProgressSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Finds the batch size of a model.
@Command(
        name = "tune",
        description = "Finds the batch size and number of actors with which an ONNX model is fastest on this machine.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  millrace tune model.onnx --images photos/",
            "  millrace tune model.onnx --input-shape 3x224x224 --actors 1,2,4",
        })
final class Tune implements Callable<Integer> {
    private static final int SAMPLE_ROWS = 16;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "MODEL", description = "the .onnx file")
    private String model;

    @Option(
            names = "--input-shape",
            paramLabel = "[NAME=]SHAPE",
            description = "the shape of one row, without the batch, for inputs whose shape is open: 3x224x224")
    private List<String> shapes = List.of();

    @Option(
            names = "--images",
            paramLabel = "FOLDER",
            description = "photographs as the sample, prepared as for ImageNet; random numbers otherwise")
    private @Nullable String images;

    @Option(
            names = "--memory",
            paramLabel = "BYTES",
            description = "by how much the process may grow, e.g. 2g" + " (default: half of the machine's memory)")
    private @Nullable String memory;

    @Option(
            names = "--max-batch",
            paramLabel = "ROWS",
            defaultValue = "256",
            description = "the largest batch to try" + " (default: 256)")
    private int maxBatch;

    @Option(
            names = "--actors",
            paramLabel = "N,...",
            split = ",",
            defaultValue = "1",
            description = "numbers of actors" + " to try, e.g. 1,2 (default: 1)")
    @SuppressWarnings("NullAway.Init")
    private Integer[] actors;

    @Option(names = "--cpus", paramLabel = "N", description = "CPUs that the actors share (default: all)")
    private @Nullable Integer cpus;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "120",
            description = "how long it may take, about" + " (default: 120)")
    private double seconds;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (!(seconds > 0)) {
            throw new ParameterException(spec.commandLine(), "--seconds must be more than 0, not " + seconds + ".");
        }
        OnnxModel described = OnnxModel.of(model);
        Tuning tuning = (images == null ? Tuning.of(described, rowShapes()) : Tuning.of(described, sample(images)))
                .maxBatch(maxBatch)
                .actors(actors)
                .time(Duration.ofMillis((long) (seconds * 1000)))
                .onPoint(point -> {
                    err.println(point);
                    err.flush();
                });
        tuning = memory == null ? tuning : tuning.memory(bytes(memory));
        TuningReport report = (cpus == null ? tuning : tuning.cpus(cpus)).run();
        out.print("\n" + report);
        out.flush();
        return report.best().isPresent() ? 0 : 1;
    }

    /// Photographs preprocessed for an ImageNet model.
    private static Batch sample(String images) {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            return session.readImages(images)
                    .limit(SAMPLE_ROWS)
                    .mapBatches(ImageNetPreprocess.standard())
                    .takeBatch(SAMPLE_ROWS);
        }
    }

    private Map<String, int[]> rowShapes() {
        Map<String, int[]> given = new LinkedHashMap<>();
        for (String shape : shapes) {
            int end = shape.lastIndexOf('=');
            given.put(end < 0 ? "" : shape.substring(0, end), sizes(shape.substring(end + 1)));
        }
        return given;
    }

    private int[] sizes(String text) {
        try {
            return Arrays.stream(text.split("x")).mapToInt(Integer::parseInt).toArray();
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(), "'" + text + "' is no shape. Write it as 3x224x224, without the batch.");
        }
    }

    private long bytes(String text) {
        String number = text.replaceFirst("(?i)[kmg]i?b?$", "");
        int shift = switch (text.substring(number.length())
                .toLowerCase(java.util.Locale.ROOT)
                .replaceAll("i?b$", "")) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
        };
        try {
            return (long) (Double.parseDouble(number) * (1L << shift));
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(), "'" + text + "' is no amount of memory. Write it as 512m or 2g.");
        }
    }
}
