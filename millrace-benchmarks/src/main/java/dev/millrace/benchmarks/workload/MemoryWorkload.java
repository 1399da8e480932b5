package dev.millrace.benchmarks.workload;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.ProcessMemory;
import dev.millrace.benchmarks.Workload;
import dev.millrace.column.TensorBuilder;
import dev.millrace.column.TensorColumn;
import dev.millrace.compute.Compute;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Checks the memory limit: far more data than the session's memory streams to a consumer that is slower than the
/// tasks. The process must stay within the limit plus a fixed amount, and the consumer must never have to wait.
public final class MemoryWorkload implements Workload {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
    private static final long LIMIT = 500_000_000;
    /// Memory in addition to the limit: the Java heap, its collector, code, threads.
    private static final long OVERHEAD_MB = 300;
    private static final int ELEMENTS = 125_000;
    private static final DataType.Tensor MEGABYTE = DataType.tensor(DataType.FLOAT64, ELEMENTS);
    private static final int BATCH = 16;
    private static final int ROWS_PER_TASK = 100;
    private static final long PAUSE_MILLIS = 80;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String sentence() {
        return "8 GB (rows of 1 MB through two functions) in 500 MB of memory, to a consumer that takes 80 ms per 16 rows";
    }

    @Override
    public long rows() {
        return 8000;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        long rows = settings.scaled(rows());
        List<Double> all = new ArrayList<>();
        double sum = 0;
        long consumerNanos = 0;
        long spilled = 0;
        long peak = 0;
        for (int time = 0; time < settings.times(); time++) {
            try (Session session = Session.builder()
                    .limits(ResourceLimits.DEFAULT.withMemory(LIMIT))
                    .progress(ProgressSettings.OFF)
                    .open()) {
                Dataset dataset = session.range(rows, (int) Math.max(1, rows / ROWS_PER_TASK))
                        .mapBatches(MemoryWorkload::make, Compute.defaults().batchSize(BATCH))
                        .mapBatches(MemoryWorkload::addOne, Compute.defaults().batchSize(BATCH));
                long began = System.nanoTime();
                consumerNanos = 0;
                sum = 0;
                try (CloseableIterator<Batch> batches = dataset.iterBatches(BATCH)) {
                    while (batches.hasNext()) {
                        Batch batch = batches.next();
                        long taken = System.nanoTime();
                        sum += firstElements(batch);
                        Thread.sleep(PAUSE_MILLIS);
                        consumerNanos += System.nanoTime() - taken;
                    }
                }
                all.add((System.nanoTime() - began) / 1e9);
                spilled += session.spillStats().spilledBytes();
                peak = Math.max(peak, session.allocator().peakBytes());
            }
        }
        if (spilled > 0 || peak > LIMIT) {
            throw new BenchFailure("the bound did not hold: " + peak + " bytes of blocks at one time, " + spilled
                    + " spilled; the limit is " + LIMIT + ".");
        }
        Measurement measured = Measurement.warm(all, ProcessMemory.peakMb(), String.valueOf((long) sum));
        return measured.with("consumer_seconds", consumerNanos / 1e9)
                .with("spilled_mb", spilled / 1e6)
                .with("peak_block_mb", peak / 1e6)
                .with("limit_mb", LIMIT / 1e6)
                .with("over_limit_mb", ProcessMemory.peakMb() - LIMIT / 1e6)
                .with("allowed_over_limit_mb", OVERHEAD_MB);
    }

    /// A megabyte per row, filled with the row's number.
    private static Batch make(Batch batch) {
        TensorBuilder wide = (TensorBuilder) batch.newColumn(MEGABYTE);
        for (long row = 0; row < batch.rows(); row++) {
            double id = batch.longs("id").get(row);
            MemorySegment elements = wide.appendUninitialised();
            for (int i = 0; i < ELEMENTS; i++) {
                elements.setAtIndex(DOUBLE, i, id);
            }
        }
        return batch.with("x", wide).without("id");
    }

    private static Batch addOne(Batch batch) {
        TensorColumn before = (TensorColumn) batch.column("x");
        TensorBuilder after = (TensorBuilder) batch.newColumn(MEGABYTE);
        for (long row = 0; row < batch.rows(); row++) {
            MemorySegment from = before.segment(row);
            MemorySegment to = after.appendUninitialised();
            for (int i = 0; i < ELEMENTS; i++) {
                to.setAtIndex(DOUBLE, i, from.getAtIndex(DOUBLE, i) + 1);
            }
        }
        return batch.with("x", after);
    }

    private static double firstElements(Batch batch) {
        TensorColumn column = (TensorColumn) batch.column("x");
        double sum = 0;
        for (long row = 0; row < batch.rows(); row++) {
            sum += column.segment(row).getAtIndex(DOUBLE, 0);
        }
        return sum;
    }
}
