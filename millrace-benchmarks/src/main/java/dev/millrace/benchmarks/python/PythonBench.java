package dev.millrace.benchmarks.python;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.batch.BatchScope;
import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.Median;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.PeerRun;
import dev.millrace.benchmarks.Project;
import dev.millrace.block.Block;
import dev.millrace.column.Tensor;
import dev.millrace.compute.Compute;
import dev.millrace.function.AsyncBatchFunction;
import dev.millrace.function.ExternalFunction;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.memory.Allocator;
import dev.millrace.python.PythonUdf;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// `bench python`: the overhead of a Python worker, beside a plain socket, and on request the rows per second of a
/// cheap class beside Ray Data's `map_batches` with the same class; or training ingest beside torch's DataLoader.
public final class PythonBench {
    private static final int IMAGES = 64;
    private static final int[] SHAPE = {3, 224, 224};
    private static final int LARGE = 16 << 20;
    private static final int ROWS_PER_BATCH = 100_000;
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
            IngestBench.run(Math.max(64, 5 * calls), environment("torch"), out);
            return;
        }
        if (peer != null && peer != Peer.RAY) {
            throw new BenchFailure("'bench python' has no peer but ray and torch.");
        }
        String python = environment("test");
        Path folder = Files.createTempDirectory("millrace-python-bench");
        Path model = folder.resolve("model.py");
        try {
            try (InputStream in = PythonBench.class.getResourceAsStream("model.py")) {
                Files.write(
                        model,
                        Objects.requireNonNull(in, "model.py is in the jar").readAllBytes());
            }
            measure(model, python, folder.resolve("echo"));
            if (peer != null) {
                print("Ray Data, the same class", ray(model, PeerRun.environment(peer)) / 1e6, "Mrows/s");
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
        print("a cheap class, " + ROWS_PER_BATCH + " rows in a batch", cheap(model, python) / 1e6, "Mrows/s");
        killed(model, python);
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
    private double cheap(Path model, String python) {
        PythonUdf cheap = PythonUdf.of(model.toString(), "Cheap").python(python);
        double best = 0;
        try (Session session = Session.open()) {
            for (int i = 0; i < 3; i++) {
                long began = System.nanoTime();
                long counted = 0;
                try (CloseableIterator<Batch> batches = session.range(rows)
                        .mapBatches(cheap, Compute.actors(1).batchSize(ROWS_PER_BATCH))
                        .iterBatches()) {
                    while (batches.hasNext()) {
                        counted += batches.next().longs("twice").length();
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

    private double ray(Path model, String python) throws IOException, InterruptedException, BenchFailure {
        Process process = new ProcessBuilder(python, model.toString(), "ray", String.valueOf(rows))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new BenchFailure("Ray Data ended with " + process.exitValue() + ".");
        }
        return Double.parseDouble(printed.lines().toList().getLast());
    }

    /// An interpreter with the packages of `tools/python`.
    private static String environment(String name) throws IOException, InterruptedException, BenchFailure {
        Process process = new ProcessBuilder(
                        Project.root().resolve("tools/python-env").toString(), name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String python = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new BenchFailure("the Python environment '" + name + "' could not be made.");
        }
        return python.strip();
    }
}
