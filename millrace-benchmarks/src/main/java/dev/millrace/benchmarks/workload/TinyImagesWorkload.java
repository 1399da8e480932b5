package dev.millrace.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Median;
import dev.millrace.benchmarks.Workload;
import dev.millrace.column.TensorColumn;
import dev.millrace.images.ImageNetPreprocess;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.source.ReadWebDataset;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Many images that are so small that the overhead per image dominates. Besides the speed it measures the share of CPU
/// time that is spent on anything but decoding and preprocessing, which are measured alone immediately after.
public final class TinyImagesWorkload implements Workload {
    private static final ImageNetPreprocess PREPROCESS =
            ImageNetPreprocess.standard().column("png").resize(TinyImages.SIDE).crop(TinyImages.SIDE);

    private static final int BARE_IMAGES = 512;
    private static final int BARE_BATCHES = 16;
    private static final int BARE_ROUNDS = 8;

    @Override
    public String name() {
        return "tiny-images";
    }

    @Override
    public String sentence() {
        return "1,000,000 PNG images of 32 x 32 pixels in WebDataset archives, decoded and normalised";
    }

    @Override
    public long rows() {
        return 1_000_000;
    }

    @Override
    public void prepare(BenchSettings settings) throws Exception {
        TinyImages.archives(settings);
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        List<String> archives =
                TinyImages.archives(settings).stream().map(Path::toString).toList();
        int used = Math.clamp(Math.round(archives.size() * settings.scale()), 1, archives.size());
        try (Session session = Sessions.quiet()) {
            List<String> read = archives.subList(0, used);
            List<Double> cpu = new ArrayList<>();
            Measurement measured = Measurement.repeat(settings, () -> {
                long began = processCpu();
                String result = run(session, read);
                cpu.add((processCpu() - began) / 1e9);
                return result;
            });
            long images = Long.parseLong(measured.result().split(" ", 2)[0]);
            double least = cpu.stream().min(Double::compare).orElseThrow();
            double bare = bareNanos(session, archives) * images / 1e9;
            return measured.perSecond("images_per_second", images)
                    .with("cpu_seconds", least)
                    .with("cpu_seconds_of_decoding_and_kernel", bare)
                    .with("cpu_percent_outside", 100 * (1 - bare / least));
        }
    }

    private static long processCpu() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static String run(Session session, List<String> archives) {
        long count = 0;
        double sum = 0;
        try (CloseableIterator<Batch> batches = session.readWebDataset(archives, ReadWebDataset.extensions("png"))
                .mapBatches(PREPROCESS)
                .mapBatches(batch ->
                        batch.none().with("sum", new double[] {sum(batch)}).with("count", new long[] {batch.rows()}))
                .iterBatches()) {
            while (batches.hasNext()) {
                Batch batch = batches.next();
                for (int i = 0; i < batch.rows(); i++) {
                    sum += batch.doubles("sum").get(i);
                    count += batch.longs("count").get(i);
                }
            }
        }
        return String.format(Locale.ROOT, "%d %.0f", count, sum);
    }

    private static double sum(Batch batch) {
        TensorColumn tensors = batch.tensors("png");
        return FloatSums.of(tensors.values());
    }

    /// The CPU time per image of decoding, preprocessing and the sum alone: on as many threads as the run had, because
    /// the speed of a core depends on the load of its neighbours, and over so many images that they do not fit the
    /// processor's caches.
    private static double bareNanos(Session session, List<String> archives) throws Exception {
        int threads = Runtime.getRuntime().availableProcessors();
        List<byte[][][]> files = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            files.add(batches(session, archives.get(thread % archives.size())));
        }
        long images = (long) threads * BARE_BATCHES * BARE_IMAGES;
        List<Double> rounds = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (int round = 0; round < BARE_ROUNDS; round++) {
                List<Future<Long>> each = new ArrayList<>();
                for (byte[][][] batches : files) {
                    each.add(pool.submit(() -> bareNanos(session, batches)));
                }
                double sum = 0;
                for (Future<Long> nanos : each) {
                    sum += nanos.get();
                }
                rounds.add(sum / images);
            }
        }
        return Median.of(rounds);
    }

    private static byte[][][] batches(Session session, String archive) {
        Object[] files = session
                .readWebDataset(archive, ReadWebDataset.extensions("png"))
                .select("png")
                .take(BARE_BATCHES * BARE_IMAGES)
                .stream()
                .map(row -> row.get("png"))
                .toArray();
        byte[][][] batches = new byte[BARE_BATCHES][BARE_IMAGES][];
        for (int i = 0; i < files.length; i++) {
            batches[i / BARE_IMAGES][i % BARE_IMAGES] = (byte[]) files[i];
        }
        return batches;
    }

    private static long bareNanos(Session session, byte[][][] batches) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long nanos = 0;
        for (byte[][] files : batches) {
            // Uses the session's memory, as a task does: allocating fresh memory would cost more than the images.
            try (BatchScope scope = new BatchScope("bare images", session.allocator())) {
                Batch batch = scope.empty().with("png", files);
                long began = threads.getCurrentThreadCpuTime();
                sum(PREPROCESS.apply(batch));
                nanos += threads.getCurrentThreadCpuTime() - began;
            }
        }
        return nanos;
    }
}
