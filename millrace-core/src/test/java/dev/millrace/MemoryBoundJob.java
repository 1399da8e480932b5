package dev.millrace;

import dev.millrace.aggregate.Aggregates;
import dev.millrace.arrow.IpcWriter;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.column.Columns;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.TensorBuilder;
import dev.millrace.compression.IpcCompression;
import dev.millrace.compute.Compute;
import dev.millrace.expression.Expressions;
import dev.millrace.function.BatchFunction;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.memory.Allocator;
import dev.millrace.relation.Join;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.settings.SpillSettings;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunctions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/// The other process of [MemoryBoundIT]: runs one kind of pipeline in a small session, prints the rows that came out
/// and the most that this process ever had resident.
final class MemoryBoundJob {
    /// Of a row: 100 KB.
    private static final int DOUBLES = 12_500;

    private final Session session;
    private final Path folder;

    private MemoryBoundJob(Session session, Path folder) {
        this.session = session;
        this.folder = folder;
    }

    public static void main(String[] arguments) throws Exception {
        long limit = Long.parseLong(arguments[1]);
        Path folder = Path.of(arguments[2]);
        long rows = 0;
        for (int i = 0; i < (arguments[0].equals("sessions") ? 2 : 1); i++) {
            try (Session session = Session.builder()
                    .limits(ResourceLimits.DEFAULT.withSlots(4).withMemory(limit))
                    .progress(ProgressSettings.OFF)
                    .spill(SpillSettings.DEFAULT.withDirectories(folder.toString()))
                    .open()) {
                rows += new MemoryBoundJob(session, folder).run(arguments[0]);
            }
        }
        System.out.println(rows + " " + peakBytes());
    }

    private static long peakBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .sum();
    }

    private long run(String kind) throws Exception {
        return switch (kind) {
            case "fanOut" -> fanOut();
            case "slowConsumer" -> read(wide(8000), 50, 3);
            case "hugeFile" -> hugeFile();
            case "skewed" -> skewed();
            case "manyOperators" -> manyOperators();
            case "threeDatasets" -> threeDatasets();
            case "pausedIterator" -> pausedIterator();
            case "materialised", "sessions" -> materialised();
            case "sorted" -> shuffled(mixed(12_000_000L).sort("noise"));
            case "sortedSkewed" -> sortedSkewed();
            case "joined" -> joined(10_000_000L, 5_000_000L, 5_000_000L);
            case "joinedSkewed" -> joined(10_000_000L, 5_000_000L, 1);
            case "joinedAcross" -> joinedAcross();
            case "grouped" ->
                read(
                        mixed(8_000_000L).groupBy("noise").aggregate(Aggregates.sum("id"), Aggregates.count()),
                        100_000,
                        0);
            case "shuffled" -> shuffled(mixed(12_000_000L).randomShuffle(1));
            case "windowed" -> windowed();
            case "windowedAtOnce" -> windowedAtOnce();
            default -> throw new IllegalArgumentException(kind);
        };
    }

    /// All rows as one partition, more than memory has, which passes by.
    private long windowed() throws InterruptedException {
        Dataset rows = mixed(8_000_000L)
                .window(
                        Window.whole().orderBy("noise"),
                        WindowFunctions.rowNumber().as("n"),
                        WindowFunctions.rank().as("r"),
                        WindowFunctions.over(Aggregates.sum("id"), Frame.runningWithPeers())
                                .as("s"),
                        WindowFunctions.lag("id").as("before"));
        return read(rows, 100_000, 0);
    }

    /// A partition that must be in memory as a whole, with what is needed to compute such functions.
    private long windowedAtOnce() throws InterruptedException {
        Dataset rows = session.range(1_500_000L, 40)
                .withColumn("noise", Expressions.col("id").times(7919L).mod(1_000_003L))
                .window(
                        Window.whole().orderBy("noise"),
                        WindowFunctions.over(Aggregates.sum("id"), Frame.values(-1000, 1000))
                                .as("near"),
                        WindowFunctions.over(Aggregates.mean("id"), Frame.rows(-100, Frame.UNBOUNDED_FOLLOWING))
                                .as("rest"),
                        WindowFunctions.over(Aggregates.max("id"), Frame.rows(-100_000, 100_000))
                                .as("most"),
                        WindowFunctions.denseRank().as("d"));
        return read(rows, 100_000, 0);
    }

    /// Reads what does not fit into memory.
    private long shuffled(Dataset dataset) throws InterruptedException {
        long rows = read(dataset, 100_000, 0);
        requireSpilled();
        return rows;
    }

    private void requireSpilled() {
        if (session.spillStats().spilledBytes() < 25_000_000) {
            throw new IllegalStateException("too little was spilled: " + session.spillStats());
        }
    }

    /// Every row of the left has one match; a `spread` of 1 gives all of them the same key.
    private long joined(long left, long right, long spread) throws InterruptedException {
        Dataset lines = mixed(left).withColumn("k", Expressions.col("id").mod(spread));
        Dataset others = session.range(right, 40)
                .rename("id", "k")
                .withColumn("w", Expressions.col("k").times(3L))
                .withColumn("v", Expressions.col("k").plus(1L));
        Dataset some = spread == 1 ? others.withColumn("k", Expressions.col("k").minus(right - 1)) : others;
        return shuffled(lines.join(some, Join.inner("k").broadcast(0)));
    }

    /// Both sides of a key that all rows have are too large to be held: semi and anti joins, which have few rows.
    private long joinedAcross() throws InterruptedException {
        Dataset lines = mixed(2_000_000L).withColumn("k", Expressions.lit(1L));
        Dataset others = session.range(1_500_000L, 40)
                .withColumn("k", Expressions.lit(1L))
                .rename("id", "o");
        return read(lines.join(others, Join.leftSemi("k").broadcast(0)), 100_000, 0)
                + read(lines.join(others, Join.leftAnti("k").broadcast(0)), 100_000, 0);
    }

    /// Rows of 100 KB.
    private Dataset wide(long rows) {
        return session.range(rows, 40)
                .mapBatches(widened(DOUBLES), Compute.defaults().batchSize(16));
    }

    /// Adds a tensor of so many doubles, made outside of the Java heap.
    private static BatchFunction widened(int doubles) {
        return batch -> {
            TensorBuilder wide = (TensorBuilder) batch.newColumn(DataType.tensor(DataType.FLOAT64, doubles));
            for (long row = 0; row < batch.rows(); row++) {
                MemorySegment elements = wide.appendUninitialised();
                double id = batch.longs("id").get(row);
                for (int i = 0; i < doubles; i++) {
                    elements.setAtIndex(ValueLayout.JAVA_DOUBLE, i, id + i * 0.1);
                }
            }
            return batch.with("x", wide);
        };
    }

    private static long read(Dataset dataset, int batchSize, long pauseMillis) throws InterruptedException {
        long rows = 0;
        try (CloseableIterator<Batch> batches = dataset.iterBatches(batchSize)) {
            while (batches.hasNext()) {
                rows += batches.next().rows();
                Thread.sleep(pauseMillis);
            }
        }
        return rows;
    }

    private long fanOut() {
        return session.range(800, 8)
                .flatMap(row -> IntStream.range(0, 1000)
                        .mapToObj(i -> Row.of("id", row.getLong("id") * 1000 + i, "text", "x".repeat(700)))
                        .toList())
                .count();
    }

    private long hugeFile() throws Exception {
        Path file = folder.resolve("huge.arrow");
        int rows = 2_000_000;
        Schema schema = Schema.of(new Field("id", DataType.INT64), new Field("v", DataType.INT64));
        try (Allocator memory = Allocator.root("huge file", 80_000_000)) {
            Random random = new Random(1);
            long[] values = random.longs(rows).toArray();
            try (IpcWriter writer = IpcWriter.file(file, schema, IpcCompression.NONE, memory);
                    Block block = Block.of(
                            schema, List.of(Columns.ofLongs(memory, values), Columns.ofLongs(memory, values)), rows)) {
                for (int i = 0; i < 20; i++) {
                    writer.write(block);
                }
            }
        }
        return read(session.readArrow(file.toString()), 50_000, 0);
    }

    private long skewed() throws Exception {
        BatchFunction skewed = batch -> batch.rows() > 0 && batch.longs("id").get(0) % 300 == 0
                ? widened(1_000_000).apply(batch).without("x").with("y", batch.longs("id"))
                : widened(3000).apply(batch).without("x").with("y", batch.longs("id"));
        long flat = session.range(6000, 30)
                .mapBatches(skewed, Compute.defaults().batchSize(5))
                .count();
        BatchFunction wide =
                batch -> widened(batch.rows() > 0 && batch.longs("id").get(0) % 200 == 0 ? 500_000 : 500)
                        .apply(batch)
                        .without("id");
        Dataset blocks = session.range(4000, 20)
                .mapBatches(wide, Compute.defaults().batchSize(2))
                .unordered();
        return flat + blocks.mapBatches(batch -> batch, Compute.tasks(2)).count();
    }

    private long manyOperators() throws Exception {
        Dataset dataset = wide(3000);
        for (int i = 0; i < 20; i++) {
            // Another cap each time, so that each is an operator of its own.
            dataset = dataset.mapBatches(
                    batch -> batch.with("x", batch.column("x")),
                    Compute.tasks(2 + i).batchSize(16));
        }
        return read(dataset, 16, 0);
    }

    private long threeDatasets() {
        List<CompletableFuture<Long>> all = IntStream.range(0, 3)
                .mapToObj(_ -> CompletableFuture.supplyAsync(() -> {
                    try {
                        return read(wide(3000), 20, 1);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }))
                .toList();
        return all.stream().mapToLong(CompletableFuture::join).sum();
    }

    private long pausedIterator() throws InterruptedException {
        try (CloseableIterator<Batch> paused = wide(3000).iterBatches(16)) {
            long rows = paused.next().rows();
            rows += read(wide(3000), 16, 0);
            while (paused.hasNext()) {
                rows += paused.next().rows();
            }
            return rows;
        }
    }

    /// Half of it shrinks when it is spilled, half does not.
    private Dataset mixed(long rows) {
        return session.range(rows).mapBatches(batch -> {
            LongBuilder noise = (LongBuilder) batch.newColumn(DataType.INT64);
            for (long i = 0; i < batch.rows(); i++) {
                long z = (batch.longs("id").get(i) + 1) * 0x9E3779B97F4A7C15L;
                z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
                noise.append(z ^ z >>> 27);
            }
            return batch.with("noise", noise);
        });
    }

    /// Most rows have one key.
    private long sortedSkewed() throws InterruptedException {
        Dataset skewed = mixed(12_000_000L).withColumn("k", Expressions.greatest(Expressions.col("id"), 10_500_000L));
        return shuffled(skewed.sort("k").drop("k"));
    }

    private long materialised() throws InterruptedException {
        try (MaterializedDataset kept = mixed(12_000_000L).materialize()) {
            requireSpilled();
            return read(kept, 100_000, 0) + read(kept, 100_000, 0);
        }
    }
}
