package dev.millrace.benchmarks;

import static java.util.Objects.requireNonNull;

import ai.onnxruntime.OrtEnvironment;
import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.TensorBuilder;
import dev.millrace.compute.Compute;
import dev.millrace.internal.onnx.OnnxEnvironment;
import dev.millrace.models.OnnxModel;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Locale;

/// Runs an image model on a GPU in a pipeline, compares its results with those on CPUs, and measures its speed.
///
/// Requires a machine with a GPU, and `onnxruntime_gpu` on the class path in place of `onnxruntime`:
/// `java -cp 'lib/*' dev.millrace.benchmarks.GpuCheck resnet50.onnx [batch] [rows] [actors]`
public final class GpuCheck {
    private static final DataType.Tensor IMAGE = DataType.tensor(DataType.FLOAT32, 3, 224, 224);

    private GpuCheck() {}

    public static void main(String[] arguments) {
        String path = arguments[0];
        int batch = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 64;
        int rows = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 4096;
        int actors = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 1;
        OrtEnvironment environment = OnnxEnvironment.get();
        System.out.println(
                "onnxruntime " + environment.getVersion() + ", providers " + OrtEnvironment.getAvailableProviders());
        try (Session session = Session.open()) {
            System.out.println("session: " + session.resources().total());
            compare(session, path);
            for (int time = 0; time < 3; time++) {
                Dataset classified = images(session, rows)
                        .mapBatches(
                                OnnxModel.of(path).input("image").topK(1),
                                Compute.actors(actors).gpus(1.0 / actors).batchSize(batch));
                long began = System.nanoTime();
                int count = classified.takeAll().size();
                double seconds = (System.nanoTime() - began) / 1e9;
                System.out.printf(
                        Locale.ROOT,
                        "%d rows in batches of %d, %d actors: %.2f s, %.0f rows/s with the load%n",
                        count,
                        batch,
                        actors,
                        seconds,
                        count / seconds);
                System.out.println(classified.stats());
            }
        }
    }

    /// Prints the largest difference between the results for the same rows.
    private static float[] scores(Row row) {
        return requireNonNull(row.getTensor("scores"), "a model scores every image")
                .toFloats();
    }

    private static void compare(Session session, String path) {
        OnnxModel model = OnnxModel.of(path).input("image").output(outputOf(path), "scores");
        List<Row> cpu = images(session, 8)
                .mapBatches(model, Compute.actors(1).batchSize(8))
                .takeAll();
        List<Row> gpu = images(session, 8)
                .mapBatches(model, Compute.actors(1).gpus(1).batchSize(8))
                .takeAll();
        double difference = 0;
        double largest = 0;
        for (int row = 0; row < cpu.size(); row++) {
            float[] expected = scores(cpu.get(row));
            float[] found = scores(gpu.get(row));
            for (int i = 0; i < expected.length; i++) {
                difference = Math.max(difference, Math.abs(expected[i] - found[i]));
                largest = Math.max(largest, Math.abs(expected[i]));
            }
        }
        System.out.printf(
                Locale.ROOT, "CPU and GPU differ by %.3g at most, of scores up to %.3g%n", difference, largest);
    }

    private static String outputOf(String path) {
        try (var model = OnnxModel.load(path)) {
            return model.outputs().getFirst().name();
        }
    }

    private static Dataset images(Session session, int rows) {
        return session.range(rows)
                .mapBatches(GpuCheck::image, Compute.defaults().batchSize(32));
    }

    private static Batch image(Batch batch) {
        TensorBuilder images = (TensorBuilder) batch.newColumn(IMAGE);
        for (long row = 0; row < batch.rows(); row++) {
            MemorySegment pixels = images.appendUninitialised();
            float value = (batch.longs("id").get(row) % 7 - 3) / 3f;
            for (long i = 0; i < IMAGE.elements(); i++) {
                pixels.setAtIndex(ValueLayout.JAVA_FLOAT, i, value * (i % 5 - 2));
            }
        }
        return batch.with("image", images);
    }
}
