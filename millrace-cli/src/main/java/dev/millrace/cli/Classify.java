package dev.millrace.cli;

import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.examples.Classification;
import dev.millrace.examples.ExampleFiles;
import dev.millrace.examples.PhotoLabels;
import dev.millrace.images.ImageNetPreprocess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The main job over a user's own images.
@Command(
        name = "classify",
        description = "Labels images with a model and writes path, label and score as Parquet.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  millrace classify photos/ labels/",
            "  millrace classify photos/ labels/ --model model.onnx --labels labels.txt --batch-size 64 --stats",
        })
final class Classify implements Runnable {
    @Parameters(
            index = "0",
            paramLabel = "IMAGES",
            description = "a folder, a file, a glob ('photos/*.jpg') or an s3:// path")
    @SuppressWarnings("NullAway.Init")
    private String images;

    @Parameters(
            index = "1",
            paramLabel = "OUT",
            description = "the folder for the Parquet files; what is there is replaced")
    @SuppressWarnings("NullAway.Init")
    private String out;

    @Option(
            names = "--model",
            paramLabel = "FILE",
            description = "an ONNX classifier of 224x224 RGB images (default: the EfficientNet-Lite0 that comes along)")
    private @Nullable String model;

    @Option(
            names = "--labels",
            paramLabel = "FILE",
            description = "names of the classes, one on each line (default: ImageNet's 1,000)")
    private @Nullable String labels;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "16",
            description = "images in one call of the model (default: 16)")
    private int batchSize;

    @Option(
            names = "--actors",
            paramLabel = "N",
            defaultValue = "1",
            description = "copies of the model that share the cores (default: 1)")
    private int actors;

    @Option(
            names = "--gpus",
            paramLabel = "N",
            defaultValue = "0",
            description = "GPUs that each copy takes, 0.5 for half of one (default: 0; needs onnxruntime_gpu)")
    private double gpus;

    @Option(
            names = "--mean",
            paramLabel = "R,G,B",
            split = ",",
            description = "what the model wants subtracted from pixels of 0 to 1 (default: ImageNet's)")
    private double @Nullable [] mean;

    @Option(
            names = "--std",
            paramLabel = "R,G,B",
            split = ",",
            description = "what it wants them divided by (default: ImageNet's)")
    private double @Nullable [] std;

    @Option(
            names = "--contact-sheet",
            paramLabel = "FILE",
            description = "also write the first 24 images with their labels as one picture")
    private @Nullable Path contactSheet;

    @Option(names = "--stats", description = "also print what each operator did")
    private boolean stats;

    @Override
    public void run() {
        try (Session session = Session.open()) {
            Classification job = job();
            PhotoLabels.Result result = PhotoLabels.run(session, job, List.of(images), out, System.out);
            System.out.println("Labels: " + out);
            if (contactSheet != null && result.images() > 0) {
                PhotoLabels.contactSheet(session, out, 24, contactSheet);
                System.out.println("Contact sheet: " + contactSheet);
            }
            if (stats) {
                System.out.println();
                System.out.print(result.labels().stats());
            }
        } catch (IOException failure) {
            throw MillraceException.user("A file could not be written: " + failure.getMessage());
        }
    }

    private Classification job() throws IOException {
        Classification job;
        if (model != null && labels != null) {
            job = Classification.imageNet(model, labels);
        } else {
            ExampleFiles files = ExampleFiles.unpack(cache());
            job = model == null
                    ? Classification.efficientNet(files)
                    : Classification.imageNet(model, files.labels().toString());
        }
        job = labels == null ? job : job.labels(labels);
        requireThree("--mean", mean);
        requireThree("--std", std);
        ImageNetPreprocess pixels = job.preprocess();
        pixels = mean == null ? pixels : pixels.mean(mean[0], mean[1], mean[2]);
        pixels = std == null ? pixels : pixels.std(std[0], std[1], std[2]);
        return job.preprocess(pixels).batchSize(batchSize).actors(actors).gpus(gpus);
    }

    private static void requireThree(String option, double @Nullable [] values) {
        if (values != null && values.length != 3) {
            throw MillraceException.user(option + " takes three numbers, for red, green and blue, not " + values.length
                    + ". Example: " + option + " 0.485,0.456,0.406");
        }
    }

    /// The folder into which the bundled model is unpacked once.
    private static Path cache() {
        String chosen = System.getenv("XDG_CACHE_HOME");
        Path base = chosen == null || chosen.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(chosen);
        return base.resolve("millrace").resolve("examples");
    }
}
