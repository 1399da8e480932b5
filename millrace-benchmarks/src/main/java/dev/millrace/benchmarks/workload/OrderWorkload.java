package dev.millrace.benchmarks.workload;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Median;
import dev.millrace.benchmarks.Workload;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cost of preserving the order of the input: tasks of unequal duration, alternately with and without order, so
/// that a noisy machine disturbs both equally; the median of the costs of all pairs.
public final class OrderWorkload implements Workload {
    private static final int BLOCKS = 400;

    /// The number of pairs per requested run: a median needs several.
    private static final int PAIRS = 20;

    /// Pairs that are not counted, because the compiler is still at work.
    private static final int WARM_PAIRS = 2;

    private static final int LONGEST = 8;

    @Override
    public String name() {
        return "order";
    }

    @Override
    public String sentence() {
        return "60 million numbers through tasks of unequal length, in order against in any order";
    }

    @Override
    public long rows() {
        return 60_000_000;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        long rows = settings.scaled(rows());
        int pairs = PAIRS * settings.times();
        List<Double> ordered = new ArrayList<>();
        List<Double> unordered = new ArrayList<>();
        Object result = null;
        try (Session session = Sessions.quiet()) {
            Dataset numbers = session.range(rows, BLOCKS).mapBatches(OrderWorkload::unequal);
            for (int i = 0; i < pairs; i++) {
                // The first of a pair alternates too.
                if (i % 2 == 0) {
                    result = time(ordered, numbers);
                    time(unordered, numbers.unordered());
                } else {
                    time(unordered, numbers.unordered());
                    result = time(ordered, numbers);
                }
            }
        }
        List<Double> costs = new ArrayList<>();
        for (int i = WARM_PAIRS; i < pairs; i++) {
            costs.add((ordered.get(i) / unordered.get(i) - 1) * 100);
        }
        return Measurement.median(ordered.subList(WARM_PAIRS, pairs), String.valueOf(result))
                .with("unordered_seconds", Median.of(unordered.subList(WARM_PAIRS, pairs)))
                .with("order_cost_percent", Median.of(costs));
    }

    private static @Nullable Object time(List<Double> seconds, Dataset dataset) {
        long began = System.nanoTime();
        Object result = dataset.sum("id");
        seconds.add((System.nanoTime() - began) / 1e9);
        return result;
    }

    /// The first number of a batch determines its amount of work: neighbouring blocks differ.
    private static Batch unequal(Batch batch) {
        long turns =
                batch.isEmpty() ? 0 : Math.floorMod(batch.longs("id").get(0) * 0x9E3779B97F4A7C15L >>> 32, LONGEST);
        Batch mixed = batch;
        for (int i = 0; i < turns; i++) {
            mixed = mixed.mapLongs("id", id -> id ^ id >>> 7);
        }
        return mixed;
    }
}
