package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.column.TensorColumn;
import dev.millrace.images.ImageNetPreprocess;
import dev.millrace.iteration.CloseableIterator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Photographs preprocessed for a model, without the model: the result is the mean of each tensor.
public final class ImagesWorkload implements Workload {
    /// The accepted difference between the mean of an image here and in Pillow's pipeline, in standard deviations: half
    /// a step of 255.
    private static final double TOLERANCE = 0.5 / (255 * 0.226);

    @Override
    public String name() {
        return "images";
    }

    @Override
    public String sentence() {
        return "2,000 JPEG photographs decoded, resized to 256, cropped to 224, normalised, the mean of each taken";
    }

    @Override
    public long rows() {
        return 2_000;
    }

    @Override
    public boolean agree(String ours, String theirs) {
        String[] our = ours.split(" ", -1);
        String[] their = theirs.split(" ", -1);
        double difference = Math.abs(Double.parseDouble(our[1]) - Double.parseDouble(their[1]));
        return our[0].equals(their[0]) && difference <= TOLERANCE * Long.parseLong(our[0]);
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String[] files = files(settings);
        try (Session session = Sessions.quiet()) {
            Measurement measured = Measurement.repeat(settings, () -> run(session, files));
            double perSecond = files.length / measured.seconds();
            return measured.with("images_per_second", perSecond)
                    .with(
                            "images_per_second_and_core",
                            perSecond / Runtime.getRuntime().availableProcessors());
        }
    }

    private String[] files(BenchSettings settings) throws BenchFailure, IOException {
        Path folder = settings.data() == null ? null : settings.data().resolve("images");
        if (folder == null || !Files.isDirectory(folder)) {
            throw new BenchFailure(
                    "This workload reads DIR/images/*.jpg: give --data DIR. Any 2,000 photographs of about 500 x 375"
                            + " pixels will do.");
        }
        try (Stream<Path> found = Files.list(folder)) {
            List<String> files = found.map(Path::toString)
                    .filter(file -> file.endsWith(".jpg"))
                    .sorted()
                    .limit(settings.scaled(rows()))
                    .toList();
            return files.toArray(String[]::new);
        }
    }

    private static String run(Session session, String[] files) {
        long count = 0;
        double sum = 0;
        try (CloseableIterator<Batch> batches = session.readImages(files)
                .mapBatches(ImageNetPreprocess.standard())
                .mapBatches(ImagesWorkload::means)
                .iterBatches()) {
            while (batches.hasNext()) {
                for (double mean : batches.next().doubles("mean").toArray()) {
                    sum += mean;
                    count++;
                }
            }
        }
        return String.format(Locale.ROOT, "%d %.3f", count, sum);
    }

    private static Batch means(Batch batch) {
        TensorColumn tensors = batch.tensors("image");
        int values = Math.toIntExact(tensors.type().elements());
        double[] means = new double[Math.toIntExact(batch.rows())];
        for (int i = 0; i < means.length; i++) {
            means[i] = FloatSums.of(tensors.segment(i)) / values;
        }
        return batch.none().with("mean", means);
    }
}
