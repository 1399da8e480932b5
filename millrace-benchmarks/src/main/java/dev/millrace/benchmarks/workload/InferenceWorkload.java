package dev.millrace.benchmarks.workload;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.MemoryReading;
import dev.millrace.benchmarks.ProcessMemory;
import dev.millrace.benchmarks.Workload;
import dev.millrace.compute.Compute;
import dev.millrace.images.ImageNetPreprocess;
import dev.millrace.images.options.ReadImages;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import dev.millrace.models.OnnxModel;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Photographs classified by a ResNet-50 into Parquet, compared with the same model alone on the same threads: the
/// share of its speed that remains when the images have to be read, decoded and preprocessed, too. Both alternate, from
/// loading the model to closing it; the model alone runs before and after each run of the pipeline, on a batch of the
/// same photographs. The reported share is that of the median run, relative to the mean of its two neighbours, because
/// the speed of a machine changes during the measurement.
///
/// Before that the pipeline runs many times with a model that costs nothing ([MeanModel]) and once with the real one,
/// so that its code is compiled, as it is in a longer job: while the model uses all cores, a core that compiles slows
/// down both. The share by CPU time is the corresponding figure for a machine with other load.
public final class InferenceWorkload implements Workload {
    private static final int BATCH = 16;
    private static final int WARM_UPS = 32;
    private static final int WARM_UP_FILES = 304;

    @Override
    public String name() {
        return "inference";
    }

    @Override
    public String sentence() {
        return "608 photographs decoded, prepared, classified by a ResNet-50 in batches of 16, written to Parquet";
    }

    @Override
    public long rows() {
        return 608;
    }

    /// One run is long enough, but with three runs the median is affected too much by other load on the machine.
    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String model = ModelFiles.resnet(settings);
        String[] files = ModelFiles.photographs(settings, settings.scaled(rows()));
        int cpus = Runtime.getRuntime().availableProcessors();
        double batches = Math.ceil(files.length / (double) BATCH);
        List<Double> all = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        List<Double> sharesOfCpu = new ArrayList<>();
        String result = "";
        MemoryReading line = new MemoryReading();
        double alone;
        try (Session session = Sessions.quiet()) {
            warmUp(session, model, Arrays.copyOf(files, Math.min(files.length, WARM_UP_FILES)), cpus);
            BareModel bare = bare(session, model, files, cpus);
            Alone before = Alone.of(bare, batches);
            alone = batches * bare.batch() / before.seconds();
            for (int time = 0; time < settings.times(); time++) {
                double cpu = ProcessCpu.seconds();
                line.begin();
                long began = System.nanoTime();
                result = run(session, model, files, cpus) + " rows";
                double seconds = (System.nanoTime() - began) / 1e9;
                line.end();
                cpu = ProcessCpu.seconds() - cpu;
                Alone after = Alone.of(bare, batches);
                double same = files.length / (batches * bare.batch());
                all.add(seconds);
                shares.add((before.seconds() + after.seconds()) / 2 * same / seconds);
                sharesOfCpu.add((before.cpu() + after.cpu()) / 2 * same / cpu);
                alone = Math.max(alone, batches * bare.batch() / after.seconds());
                before = after;
            }
        }
        return Measurement.warm(all, ProcessMemory.peakMb(), result)
                .perSecond("images_per_second", files.length)
                .with("model_alone_images_per_second", alone)
                .with("share_of_model_alone", middle(shares))
                .with(
                        "share_of_model_alone_least",
                        shares.stream().min(Double::compare).orElseThrow())
                .with(
                        "share_of_model_alone_most",
                        shares.stream().max(Double::compare).orElseThrow())
                .with("share_of_model_alone_by_cpu_time", middle(sharesOfCpu))
                .with("memory_first_half_mb", line.firstHalfMb())
                .with("memory_second_half_mb", line.secondHalfMb());
    }

    /// One run of the model alone.
    private record Alone(double seconds, double cpu) {
        static Alone of(BareModel bare, double batches) throws Exception {
            double cpu = ProcessCpu.seconds();
            double seconds = bare.seconds((long) batches);
            return new Alone(seconds, ProcessCpu.seconds() - cpu);
        }
    }

    /// The median; the lower one of two.
    private static double middle(List<Double> values) {
        return values.stream().sorted().toList().get((values.size() - 1) / 2);
    }

    private static void warmUp(Session session, String model, String[] files, int cpus) throws Exception {
        Path folder = Files.createTempDirectory("millrace-inference");
        try {
            String means = MeanModel.in(folder);
            for (int i = 0; i < WARM_UPS; i++) {
                run(session, means, files, cpus);
            }
        } finally {
            delete(folder);
        }
        run(session, model, files, cpus);
    }

    private static BareModel bare(Session session, String model, String[] files, int cpus) {
        String[] first = Arrays.copyOf(files, Math.min(files.length, BATCH));
        try (CloseableIterator<TensorBatch> batches =
                prepared(session, first).select("image").iterTensorBatches(TensorBatchOptions.batchSize(BATCH))) {
            return BareModel.over(batches.next().tensor("image"), model, cpus);
        }
    }

    private static Dataset prepared(Session session, String[] files) {
        return session.readImages(List.of(files), ReadImages.rgb().includePaths())
                .mapBatches(ImageNetPreprocess.standard());
    }

    private static long run(Session session, String model, String[] files, int cpus) throws Exception {
        return written(
                session,
                prepared(session, files)
                        .mapBatches(
                                OnnxModel.of(model).input("image").topK(1),
                                Compute.actors(1).cpus(cpus).batchSize(BATCH))
                        .select("path", "class"));
    }

    /// The number of rows of the Parquet files written from it; the files are deleted again.
    private static long written(Session session, Dataset data) throws Exception {
        Path out = Files.createTempDirectory("millrace-inference");
        try {
            data.writeParquet(out.toString());
            return session.readParquet(out.toString()).count();
        } finally {
            delete(out);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(File::delete);
        }
    }
}
