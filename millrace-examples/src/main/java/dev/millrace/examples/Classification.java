package dev.millrace.examples;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.images.ImageNetPreprocess;
import dev.millrace.images.options.ReadImages;
import dev.millrace.models.OnnxModel;
import java.util.List;

/// Photographs to labels: read, decode, resize, crop and normalise on all cores, while actors run the model over
/// batches. Each actor loads it once.
///
/// @param model an ONNX classifier: float32 images [n, 3, size, size] in, scores [n, classes] out
/// @param labels a text file with the name of a class on each line
/// @param preprocess how the model wants its pixels
/// @param batchSize images in one call of the model
/// @param actors copies of the model that work at once, at most
/// @param threads of one copy
/// @param gpus that one copy takes; 0: it runs on CPUs
public record Classification(
        String model,
        String labels,
        ImageNetPreprocess preprocess,
        int batchSize,
        int actors,
        int threads,
        double gpus) {
    /// The dead letters of files that are no image: `session.deadLetters(UNREADABLE)`.
    public static final String UNREADABLE = "unreadable images";

    /// A model that was trained as the usual ones were: shorter side 256, centre crop 224, ImageNet's mean and
    /// deviation. ResNet-50 is one.
    public static Classification imageNet(String model, String labels) {
        return new Classification(model, labels, ImageNetPreprocess.standard(), 16, 1, cores(), 0);
    }

    /// The EfficientNet-Lite0 that comes with the examples.
    public static Classification efficientNet(ExampleFiles files) {
        return imageNet(files.model().toString(), files.labels().toString())
                .preprocess(
                        ImageNetPreprocess.standard().mean(0.498, 0.498, 0.498).std(0.502, 0.502, 0.502));
    }

    /// With other names of classes.
    public Classification labels(String file) {
        return new Classification(model, file, preprocess, batchSize, actors, threads, gpus);
    }

    /// With pixels prepared in another way.
    public Classification preprocess(ImageNetPreprocess changed) {
        return new Classification(model, labels, changed, batchSize, actors, threads, gpus);
    }

    /// With so many images in one call of the model.
    public Classification batchSize(int images) {
        return new Classification(model, labels, preprocess, images, actors, threads, gpus);
    }

    /// The cores are shared out among the actors.
    public Classification actors(int most) {
        return new Classification(model, labels, preprocess, batchSize, most, Math.max(1, cores() / most), gpus);
    }

    /// Runs on GPUs, which needs onnxruntime_gpu in place of onnxruntime on the class path.
    public Classification gpus(double each) {
        return new Classification(model, labels, preprocess, batchSize, actors, threads, each);
    }

    /// Describes the job: a row with `path`, `label` and `score` for each image that can be read. Nothing runs yet.
    public Dataset over(Session session, List<String> images) {
        return session.readImages(images, ReadImages.rgb().includePaths())
                .onReadError(ErrorPolicy.deadLetter(UNREADABLE))
                .mapBatches(preprocess, Compute.tasks().batchSize(batchSize).name("preprocess"))
                .mapBatches(
                        OnnxModel.of(model).softmax().topK(1).labels(labels),
                        Compute.actors(1, actors)
                                .cpus(gpus > 0 ? 1 : threads)
                                .gpus(gpus)
                                .batchSize(batchSize)
                                .name("classify"))
                .select("path", "label", "score");
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }
}
