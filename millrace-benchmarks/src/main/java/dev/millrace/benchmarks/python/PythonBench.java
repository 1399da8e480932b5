package dev.millrace.benchmarks.python;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.Median;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.PeerRun;
import dev.millrace.block.Block;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.function.AsyncBatchFunction;
import dev.millrace.function.ExternalFunction;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.memory.Allocator;
import dev.millrace.python.PythonUdf;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// `bench python`: the overhead of a Python worker, beside a plain socket, and a worker that is killed again and again;
/// or the rows per second of a cheap and of a dear class beside Ray Data's `map_batches` with the same classes; or
/// training ingest beside torch's DataLoader.
public final class PythonBench {
    private static final int IMAGES = 64;
    private static final int[] SHAPE = {3, 224, 224};
    private static final int LARGE = 16 << 20;
    private static final int ROWS_PER_BATCH = 100_000;
    private static final int ROWS_OF_DEAR = 256;
    private static final double WORK_SECONDS = 0.02;

    private final int calls;
    private final long rows;
    private final PrintWriter out;

    /// @param scale 1 for the usual number of calls and rows
    public PythonBench(double scale, PrintWriter out) {
        this.calls = Math.max(4, (int) (200 * scale));
        this.rows = Math.max(ROWS_PER_BATCH, (long) (20_000_000 * scale));
        this.out = out;
    }

    /// @param peer Ray or torch's DataLoader, which is measured against training ingest alone; or null
    public void run(@Nullable Peer peer) throws Exception {
        if (peer == Peer.TORCH) {
            IngestBench.run(Math.max(64, 5 * calls), BenchPython.environment("torch"), out);
            return;
        }
        if (peer != null && peer != Peer.RAY) {
            throw new BenchFailure("'bench python' has no peer but ray and torch.");
        }
        String python = BenchPython.environment("test");
        Path folder = Files.createTempDirectory("millrace-python-bench");
        Path model = folder.resolve("model.py");
        try {
            BenchPython.script(folder, "model.py");
            if (peer == null) {
                measure(model, python, folder.resolve("echo"));
            } else {
                against(model, python, PeerRun.environment(peer));
            }
        } finally {
            Files.deleteIfExists(folder.resolve("echo"));
            Files.deleteIfExists(model);
            Files.deleteIfExists(folder);
        }
    }

    private void measure(Path model, String python, Path socket) throws Exception {
        byte[] pixels = new byte[SHAPE[0] * SHAPE[1] * SHAPE[2]];
        Tensor[] images = new Tensor[IMAGES];
        for (int i = 0; i < IMAGES; i++) {
            pixels[i] = (byte) i;
            images[i] = Tensor.ofUnsigned(pixels.clone(), SHAPE);
        }
        Batch photos = Batch.of("image", images);
        Batch large = Batch.of("value", new long[LARGE / Long.BYTES]);
        PythonUdf sameSize = PythonUdf.of(model.toString(), "same_size").python(python);
        PythonUdf given = PythonUdf.of(model.toString(), "given").python(python);
        out.printf(Locale.ROOT, "%-52s %8s %10s%n", "", "median", "best tenth");
        milliseconds("64 x 3 x 224 x 224 uint8 there and back", times(sameSize, photos, 1));
        milliseconds("  the same, returned as given", times(given, photos, 1));
        gigabytes("16 MiB there and back, one at a time", times(sameSize, large, 1));
        gigabytes("  the next one there meanwhile", times(sameSize, large, 2));
        gigabytes("  the same, returned as given", times(given, large, 2));
        gigabytes("  a plain socket", echoes(model, python, socket));
        print(
                "a cheap class, " + ROWS_PER_BATCH + " rows in a batch",
                speed(PythonUdf.of(model.toString(), "Cheap").python(python), rows, ROWS_PER_BATCH) / 1e6,
                "Mrows/s");
        killed(model, python);
    }

    /// The same classes in Ray Data: one that costs nearly nothing, and one that costs 20 ms in a batch, which also
    /// runs alone. In turns, and the best of three.
    private void against(Path model, String python, String ray) throws Exception {
        long few = Math.max(10, calls) * (long) ROWS_OF_DEAR;
        PythonUdf cheap = PythonUdf.of(model.toString(), "Cheap").python(python);
        PythonUdf dear = PythonUdf.of(model.toString(), "Dear").python(python);
        double ours = speed(cheap, rows, ROWS_PER_BATCH);
        double theirs = BenchPython.number(
                List.of(ray, model.toString(), "ray", "Cheap", String.valueOf(rows), String.valueOf(ROWS_PER_BATCH)),
                "Ray Data");
        ours = Math.max(ours, speed(cheap, rows, ROWS_PER_BATCH));
        print("a cheap class, " + ROWS_PER_BATCH + " rows in a batch", ours / 1e6, "Mrows/s");
        print("  Ray Data", theirs / 1e6, String.format(Locale.ROOT, "Mrows/s, we are at %.1f times", ours / theirs));
        List<String> command =
                List.of(python, model.toString(), "alone", String.valueOf(few), String.valueOf(ROWS_OF_DEAR));
        double alone = BenchPython.number(command, "the class alone");
        ours = speed(dear, few, ROWS_OF_DEAR);
        theirs = BenchPython.number(
                List.of(ray, model.toString(), "ray", "Dear", String.valueOf(few), String.valueOf(ROWS_OF_DEAR)),
                "Ray Data");
        alone = Math.max(alone, BenchPython.number(command, "the class alone"));
        print("a dear class alone, " + ROWS_OF_DEAR + " rows in a batch", alone, "rows/s");
        print("  in a pipeline", ours, String.format(Locale.ROOT, "rows/s, %.0f %%", 100 * ours / alone));
        print("  Ray Data", theirs, String.format(Locale.ROOT, "rows/s, %.0f %%", 100 * theirs / alone));
    }

    private void milliseconds(String what, List<Double> seconds) {
        out.printf(Locale.ROOT, "%-52s %8.2f %10.2f ms%n", what, 1e3 * Median.of(seconds), 1e3 * bestTenth(seconds));
        out.flush();
    }

    /// Of one way: as many bytes come back.
    private void gigabytes(String what, List<Double> seconds) {
        out.printf(
                Locale.ROOT,
                "%-52s %8.2f %10.2f GB/s%n",
                what,
                LARGE / Median.of(seconds) / 1e9,
                LARGE / bestTenth(seconds) / 1e9);
        out.flush();
    }

    /// On a machine with other work, the median tells of that work.
    private static double bestTenth(List<Double> seconds) {
        return seconds.stream().sorted().toList().get(seconds.size() / 10);
    }

    private void print(String what, double value, String unit) {
        out.printf(Locale.ROOT, "%-52s %8.2f %s%n", what, value, unit);
        out.flush();
    }

    /// Seconds of each call; with two in flight, from one end to the next.
    private List<Double> times(PythonUdf udf, Batch batch, int inFlight) throws Exception {
        List<Double> seconds = new ArrayList<>();
        Object made = udf.factory(ExternalFunction.Use.MAP_BATCHES).create();
        try (Allocator account = Allocator.root("bench python", 1L << 30);
                AutoCloseable closing = (AutoCloseable) made;
                BatchScope inputs = new BatchScope("bench python", account);
                Block block = inputs.toBlock(batch)) {
            Objects.requireNonNull(closing);
            AsyncBatchFunction function = (AsyncBatchFunction) made;
            List<Flight> flights = new ArrayList<>();
            long before = System.nanoTime();
            for (int i = 0; i < calls + inFlight; i++) {
                if (flights.size() == inFlight) {
                    flights.removeFirst().end();
                    long now = System.nanoTime();
                    seconds.add((now - before) / 1e9);
                    before = now;
                }
                BatchScope scope = new BatchScope("bench python", account);
                flights.add(new Flight(scope, function.apply(scope.adopt(block.retain()))));
            }
            for (Flight flight : flights) {
                flight.end();
            }
        }
        // The first ones make the memory.
        return seconds.subList(seconds.size() / 4, seconds.size());
    }

    private record Flight(BatchScope scope, CompletionStage<Batch> result) {
        void end() {
            try (scope) {
                result.toCompletableFuture().join();
            }
        }
    }

    private List<Double> echoes(Path model, String python, Path socket) throws IOException {
        List<Double> seconds = new ArrayList<>();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Process process = new ProcessBuilder(python, model.toString(), "echo", socket.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (SocketChannel peer = server.accept()) {
                ByteBuffer data = ByteBuffer.allocateDirect(LARGE);
                ByteBuffer head = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
                for (int i = 0; i < calls; i++) {
                    long began = System.nanoTime();
                    head.clear().putLong(LARGE).flip();
                    write(peer, head);
                    write(peer, data.clear());
                    data.clear();
                    while (data.hasRemaining() && peer.read(data) >= 0) {
                        // Until all of it is back.
                    }
                    seconds.add((System.nanoTime() - began) / 1e9);
                }
            } finally {
                process.destroy();
            }
        }
        return seconds;
    }

    private static void write(SocketChannel peer, ByteBuffer data) throws IOException {
        while (data.hasRemaining()) {
            peer.write(data);
        }
    }

    /// Rows per second from a range to the program, the best of three.
    private static double speed(PythonUdf function, long rows, int batchSize) {
        double best = 0;
        try (Session session = Session.open()) {
            for (int i = 0; i < 3; i++) {
                long began = System.nanoTime();
                long counted = 0;
                try (CloseableIterator<Batch> batches = session.range(rows)
                        .mapBatches(function, Compute.actors(1).batchSize(batchSize))
                        .iterBatches()) {
                    while (batches.hasNext()) {
                        counted += batches.next().column("twice").length();
                    }
                }
                if (counted != rows) {
                    throw new IllegalStateException(counted + " rows of " + rows);
                }
                best = Math.max(best, rows / ((System.nanoTime() - began) / 1e9));
            }
        }
        return best;
    }

    /// The same work undisturbed, and with a worker that kills itself again and again.
    private void killed(Path model, String python) {
        double life = 10 * calls / 200.0;
        long batches = Math.max(20, (long) (2.5 * life / WORK_SECONDS));
        double undisturbed = worked(
                PythonUdf.of(model.toString(), "Mortal").args(WORK_SECONDS, 1e9).python(python), batches);
        double disturbed = worked(
                PythonUdf.of(model.toString(), "Mortal")
                        .args(WORK_SECONDS, life)
                        .python(python),
                batches);
        print("calls of 20 ms each, undisturbed", undisturbed, "calls/s");
        print(
                String.format(Locale.ROOT, "  a worker that is killed every %.1f s", life),
                disturbed,
                String.format(Locale.ROOT, "calls/s, %.0f %%", 100 * disturbed / undisturbed));
    }

    private static double worked(PythonUdf work, long batches) {
        try (Session session = Session.open()) {
            long began = System.nanoTime();
            long sum = 0;
            try (CloseableIterator<Batch> made = session.range(10 * batches, Math.toIntExact(Math.min(batches, 100)))
                    .mapBatches(work, Compute.actors(1).batchSize(10))
                    .iterBatches()) {
                while (made.hasNext()) {
                    for (long id : made.next().longs("id").toArray()) {
                        sum += id;
                    }
                }
            }
            if (sum != 5 * batches * (10 * batches - 1)) {
                throw new IllegalStateException("the rows of " + batches + " batches have the sum " + sum);
            }
            return batches / ((System.nanoTime() - began) / 1e9);
        }
    }
}
