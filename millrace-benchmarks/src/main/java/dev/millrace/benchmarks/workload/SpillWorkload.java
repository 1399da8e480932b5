package dev.millrace.benchmarks.workload;

import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.ProcessMemory;
import dev.millrace.benchmarks.Workload;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.LongColumn;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.stats.SpillStats;
import dev.millrace.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The cost of spilling: a dataset of four times the memory limit is materialised and read twice, and every value is
/// checked. Half of each row is random, so that compression gains little.
///
/// For comparison, the raw speed of the disk for the same number of bytes: through the page cache, like the spill
/// files, and until the data is on disk. Rates are millions of bytes of data per second of wall-clock time, including
/// the functions that generate and check the data.
public final class SpillWorkload implements Workload {
    private static final int ROW_BYTES = 16;
    private static final int READS = 2;
    /// Memory in addition to the limit: the Java heap, its collector, code, threads.
    private static final long OVERHEAD_MB = 300;

    @Override
    public String name() {
        return "spill";
    }

    @Override
    public String sentence() {
        return "4 GiB (id, random number) materialised in 1 GiB of memory and read back twice, every value checked";
    }

    @Override
    public long rows() {
        return (4L << 30) / ROW_BYTES;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        long rows = settings.scaled(rows());
        double mb = rows * ROW_BYTES / 1e6;
        List<Double> all = new ArrayList<>();
        double write = 0;
        double read = 0;
        double spill = 0;
        double peak = 0;
        double limitMb = 0;
        SpillStats stats = SpillStats.NONE;
        for (int time = 0; time < settings.times(); time++) {
            // At small scales the limit stays high enough for a few blocks.
            long limit = Math.max(16L << 20, rows * ROW_BYTES / 4);
            limitMb = limit / 1e6;
            try (Session session = Session.builder()
                            .limits(ResourceLimits.DEFAULT.withMemory(limit))
                            .blocks(BlockSettings.DEFAULT.withTargetBytes(limit / 16))
                            .progress(ProgressSettings.OFF)
                            .open();
                    Seconds total = new Seconds(all)) {
                long began = System.nanoTime();
                try (MaterializedDataset kept =
                        session.range(rows).mapBatches(SpillWorkload::mixed).materialize()) {
                    double seconds = (System.nanoTime() - began) / 1e9;
                    write = Math.max(write, mb / seconds);
                    spill = Math.max(spill, session.spillStats().spilledBytes() / 1e6 / seconds);
                    for (int i = 0; i < READS; i++) {
                        began = System.nanoTime();
                        check(kept, rows);
                        read = Math.max(read, mb / ((System.nanoTime() - began) / 1e9));
                    }
                    stats = session.spillStats();
                }
                peak = session.allocator().peakBytes() / 1e6;
            }
        }
        long process = ProcessMemory.peakMb();
        DiskSpeed disk = DiskSpeed.of(Math.max(stats.writtenBytes(), 1 << 20));
        return new Measurement(
                        all.stream().min(Double::compare).orElseThrow(),
                        all,
                        process,
                        Long.toString(rows * (rows - 1) / 2),
                        Map.of())
                .with("materialise_mb_per_second", write)
                .with("read_mb_per_second", read)
                .with("spill_write_mb_per_second", spill)
                .with("spill_write_to_disk_write_percent", 100 * spill / disk.write())
                .with("spill_write_to_disk_synced_percent", 100 * spill / disk.synced())
                .with("read_to_disk_direct_percent", disk.direct() == 0 ? 0 : 100 * read / disk.direct())
                .with("spilled_mb", stats.spilledBytes() / 1e6)
                .with("written_mb", stats.writtenBytes() / 1e6)
                .with("read_back_mb", stats.readBytes() / 1e6)
                .with("writing_thread_seconds", stats.writing().toNanos() / 1e9)
                .with("reading_thread_seconds", stats.reading().toNanos() / 1e9)
                .with("block_memory_peak_mb", peak)
                .with("process_peak_over_limit_mb", process - limitMb)
                .with("allowed_over_limit_mb", OVERHEAD_MB)
                .with("disk_write_mb_per_second", disk.write())
                .with("disk_write_synced_mb_per_second", disk.synced())
                .with("disk_read_mb_per_second", disk.read())
                .with("disk_read_direct_mb_per_second", disk.direct());
    }

    /// Adds the seconds from its creation to its close to a list.
    private record Seconds(List<Double> all, long began) implements AutoCloseable {
        Seconds(List<Double> all) {
            this(all, System.nanoTime());
        }

        @Override
        public void close() {
            all.add((System.nanoTime() - began) / 1e9);
        }
    }

    private static Batch mixed(Batch batch) {
        LongColumn ids = batch.longs("id");
        LongBuilder mixed = (LongBuilder) batch.newColumn(DataType.INT64);
        for (long i = 0; i < batch.rows(); i++) {
            mixed.append(mix(ids.get(i)));
        }
        return batch.with("mixed", mixed);
    }

    private static void check(MaterializedDataset kept, long rows) throws BenchFailure {
        Number sum = kept.mapBatches(SpillWorkload::checked).sum("ids");
        if (sum == null || sum.longValue() != rows * (rows - 1) / 2) {
            throw new BenchFailure("the ids that came back from disk add up to " + sum + ".");
        }
    }

    /// The sum of the ids, after checking that every number matches its id.
    private static Batch checked(Batch batch) {
        LongColumn ids = batch.longs("id");
        LongColumn mixed = batch.longs("mixed");
        long sum = 0;
        long differences = 0;
        for (long i = 0; i < batch.rows(); i++) {
            sum += ids.get(i);
            differences |= mixed.get(i) ^ mix(ids.get(i));
        }
        if (differences != 0) {
            throw new IllegalStateException("a number came back from disk as another one");
        }
        return Batch.of("ids", new long[] {sum});
    }

    /// SplitMix64's finaliser: maps every id to a distinct number, without a pattern.
    private static long mix(long id) {
        long z = (id + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
