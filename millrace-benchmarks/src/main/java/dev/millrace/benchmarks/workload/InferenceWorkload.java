package dev.millrace.benchmarks.workload;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.MemoryLine;
import dev.millrace.benchmarks.ProcessMemory;
import dev.millrace.benchmarks.Workload;
import dev.millrace.compute.Compute;
import dev.millrace.images.ImageNetPreprocess;
import dev.millrace.models.OnnxModel;
import dev.millrace.source.ReadImages;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Photographs through a ResNet-50 into Parquet, beside the same model alone on the same threads: what is left of its
/// speed when the images have to be read, decoded and made ready, too. Both run in turns, from loading the model to
/// closing it. Before them the pipeline runs some times without the model, so that its code is compiled, as it is in a
/// longer job. The share by CPU time says the same of a machine that has other work to do.
public final class InferenceWorkload implements Workload {
    private static final int BATCH = 16;
    private static final int WARM_UPS = 8;

    @Override
    public String name() {
        return "inference";
    }

    @Override
    public String sentence() {
        return "304 photographs decoded, prepared, classified by a ResNet-50 in batches of 16, written to Parquet";
    }

    @Override
    public long rows() {
        return 304;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String model = ModelFiles.resnet(settings);
        String[] files = ModelFiles.photographs(settings, settings.scaled(rows()));
        int cpus = Runtime.getRuntime().availableProcessors();
        List<Double> all = new ArrayList<>();
        BareModel bare = new BareModel(model, cpus, BATCH);
        double alone = Double.MAX_VALUE;
        double aloneCpu = Double.MAX_VALUE;
        double cpu = Double.MAX_VALUE;
        String result = null;
        MemoryLine line = new MemoryLine();
        try (Session session = Sessions.quiet()) {
            warmUp(session, files);
            for (int time = 0; time < settings.times(); time++) {
                long batches = (files.length + BATCH - 1) / BATCH;
                double before = ProcessCpu.seconds();
                alone = Math.min(alone, bare.seconds(batches) / (batches * BATCH));
                double between = ProcessCpu.seconds();
                aloneCpu = Math.min(aloneCpu, (between - before) / (batches * BATCH));
                line.begin();
                long began = System.nanoTime();
                result = run(session, model, files, cpus) + " rows";
                all.add((System.nanoTime() - began) / 1e9);
                line.end();
                cpu = Math.min(cpu, (ProcessCpu.seconds() - between) / files.length);
            }
        }
        Measurement measured = Measurement.best(all, ProcessMemory.peakMb(), result);
        return measured.perSecond("images_per_second", files.length)
                .with("model_alone_images_per_second", 1 / alone)
                .with("share_of_model_alone", alone * files.length / measured.seconds())
                .with("share_of_model_alone_by_cpu_time", aloneCpu / cpu)
                .with("memory_first_half_mb", line.firstHalfMb())
                .with("memory_second_half_mb", line.secondHalfMb());
    }

    /// All but the model.
    private static void warmUp(Session session, String[] files) throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            written(
                    session,
                    prepared(session, files)
                            .mapBatches(
                                    () -> batch -> batch.without("image"),
                                    Compute.actors(1).batchSize(BATCH)));
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

    /// Rows of the Parquet files that were made of it; they are removed again.
    private static long written(Session session, Dataset data) throws Exception {
        Path out = Files.createTempDirectory("millrace-inference");
        try {
            data.writeParquet(out.toString());
            return session.readParquet(out.toString()).count();
        } finally {
            try (var files = Files.walk(out)) {
                files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(File::delete);
            }
        }
    }
}
