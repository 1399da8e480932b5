package dev.millrace.examples;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.images.ImageNetPreprocess;
import dev.millrace.images.options.ReadImages;
import dev.millrace.models.OnnxModel;
import java.util.List;

/// Classifies photographs: reading, decoding, resizing, cropping and normalising run on all cores, while actors run the
/// model over batches. Each actor loads it once.
///
/// @param model an ONNX classifier: the input is float32 images [n, 3, size, size], the output is scores [n, classes]
/// @param labels a text file with the name of one class per line
/// @param preprocess the preprocessing that the model expects
/// @param batchSize the number of images per call of the model
/// @param actors the maximum number of copies of the model that run at once
/// @param threads the number of threads of one copy
/// @param gpus the number of GPUs of one copy; 0: it runs on CPUs
public record Classification(
        String model,
        String labels,
        ImageNetPreprocess preprocess,
        int batchSize,
        int actors,
        int threads,
        double gpus) {
    /// The dead letters of files that are not images: `session.deadLetters(UNREADABLE)`.
    public static final String UNREADABLE = "unreadable images";

    /// A model with the usual preprocessing: shorter side 256, centre crop 224, ImageNet's mean and standard deviation.
    /// ResNet-50 is one.
    public static Classification imageNet(String model, String labels) {
        return new Classification(model, labels, ImageNetPreprocess.standard(), 16, 1, cores(), 0);
    }

    /// The EfficientNet-Lite0 that is bundled with the examples.
    public static Classification efficientNet(ExampleFiles files) {
        return imageNet(files.model().toString(), files.labels().toString())
                .preprocess(
                        ImageNetPreprocess.standard().mean(0.498, 0.498, 0.498).std(0.502, 0.502, 0.502));
    }

    /// Sets other class names.
    public Classification labels(String file) {
        return new Classification(model, file, preprocess, batchSize, actors, threads, gpus);
    }

    /// Sets another preprocessing.
    public Classification preprocess(ImageNetPreprocess changed) {
        return new Classification(model, labels, changed, batchSize, actors, threads, gpus);
    }

    /// Sets the number of images per call of the model.
    public Classification batchSize(int images) {
        return new Classification(model, labels, preprocess, images, actors, threads, gpus);
    }

    /// Sets the maximum number of actors, which share the cores.
    public Classification actors(int most) {
        return new Classification(model, labels, preprocess, batchSize, most, Math.max(1, cores() / most), gpus);
    }

    /// Runs on GPUs, which requires onnxruntime_gpu in place of onnxruntime on the class path.
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
