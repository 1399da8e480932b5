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
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// What a second actor brings: a ResNet-50 on one thread each, first in one actor, then in two, in turns. Models are
/// loaded before the clock starts.
public final class ActorsWorkload implements Workload {
    private static final int BATCH = 8;
    private static final DataType.Tensor IMAGE = DataType.tensor(DataType.FLOAT32, 3, 224, 224);

    @Override
    public String name() {
        return "actors";
    }

    @Override
    public String sentence() {
        return "96 images through a ResNet-50 of one thread, in one actor and in two";
    }

    @Override
    public long rows() {
        return 96;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String model = ModelFiles.resnet(settings);
        long rows = settings.scaled(rows());
        List<Double> one = new ArrayList<>();
        List<Double> two = new ArrayList<>();
        long[] result = {0};
        try (Session session = Sessions.quiet()) {
            for (int time = 0; time < settings.times(); time++) {
                one.add(run(session, model, rows, 1, result));
                two.add(run(session, model, rows, 2, result));
            }
        }
        Measurement measured = Measurement.best(two, ProcessMemory.peakMb(), result[0] + " rows");
        double alone = one.stream().min(Double::compare).orElseThrow();
        return measured.with("one_actor_images_per_second", rows / alone)
                .with("two_actors_images_per_second", rows / measured.seconds())
                .with("scaling", alone / measured.seconds());
    }

    /// Seconds from when the models are loaded.
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
            MemorySegment pixels = images.appendUninitialised();
            float value = batch.longs("id").get(row) % 7 - 3;
            for (long i = 0; i < IMAGE.elements(); i++) {
                pixels.setAtIndex(ValueLayout.JAVA_FLOAT, i, value * (i % 5));
            }
        }
        return batch.with("image", images);
    }
}
