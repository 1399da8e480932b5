package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.ProcessMemory;
import dev.millrace.benchmarks.Workload;
import dev.millrace.column.TensorBuilder;
import dev.millrace.compute.Compute;
import dev.millrace.models.OnnxModel;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The gain of a second actor: a ResNet-50 with one thread per actor, first in one actor, then in two. For comparison,
/// the gain of a second onnxruntime session on a second thread without Millrace, which is the limit set by the
/// machine's cores, caches and memory. All four alternate; models are loaded before the time starts, and images cost no
/// more than a copy.
public final class ActorsWorkload implements Workload {
    private static final int BATCH = 8;
    private static final DataType.Tensor IMAGE = DataType.tensor(DataType.FLOAT32, 3, 224, 224);

    private static final MemorySegment PIXELS = pixels();

    @Override
    public String name() {
        return "actors";
    }

    @Override
    public String sentence() {
        return "96 images through a ResNet-50 of one thread, in one actor and in two, beside onnxruntime alone";
    }

    @Override
    public long rows() {
        return 96;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String model = ModelFiles.resnet(settings);
        long rows = settings.scaled(rows());
        long batches = Math.max(2, rows / BATCH / 2 * 2);
        rows = batches * BATCH;
        List<Double> two = new ArrayList<>();
        double one = Double.MAX_VALUE;
        double bareOne = Double.MAX_VALUE;
        double bareTwo = Double.MAX_VALUE;
        long[] result = {0};
        BareModel bare = new BareModel(model, 1, BATCH);
        try (Session session = Sessions.quiet()) {
            for (int time = 0; time < settings.times(); time++) {
                one = Math.min(one, run(session, model, rows, 1, result));
                two.add(run(session, model, rows, 2, result));
                bareOne = Math.min(bareOne, bare.seconds(1, batches));
                bareTwo = Math.min(bareTwo, bare.seconds(2, batches));
            }
        }
        Measurement measured = Measurement.warm(two, ProcessMemory.peakMb(), result[0] + " rows");
        return measured.with("one_actor_images_per_second", rows / one)
                .with("two_actors_images_per_second", rows / measured.seconds())
                .with("scaling", one / measured.seconds())
                .with("onnxruntime_alone_two_images_per_second", rows / bareTwo)
                .with("onnxruntime_alone_scaling", bareOne / bareTwo);
    }

    /// The seconds since the models were loaded.
    private static double run(Session session, String model, long rows, int actors, long[] result) {
        StartedModels.expect(actors);
        result[0] = session.range(rows, (int) Math.max(1, rows / BATCH))
                .mapBatches(ActorsWorkload::image, Compute.defaults().batchSize(BATCH))
                .mapBatches(
                        () -> new StartedModels(
                                OnnxModel.of(model).input("image").topK(1).create()),
                        Compute.actors(actors).cpus(1).batchSize(BATCH))
                .takeAll()
                .size();
        return StartedModels.seconds();
    }

    private static Batch image(Batch batch) {
        TensorBuilder images = (TensorBuilder) batch.newColumn(IMAGE);
        for (long row = 0; row < batch.rows(); row++) {
            images.appendUninitialised().copyFrom(PIXELS);
        }
        return batch.with("image", images);
    }

    private static MemorySegment pixels() {
        float[] values = new float[Math.toIntExact(IMAGE.elements())];
        for (int i = 0; i < values.length; i++) {
            values[i] = i % 5 - 2;
        }
        return MemorySegment.ofArray(values);
    }
}
