package dev.millrace.benchmarks.workload;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.internal.onnx.MallocTrim;
import dev.millrace.internal.onnx.OnnxEnvironment;
import dev.millrace.iteration.DirectTensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// onnxruntime alone, without Millrace: the same batch again and again, with its own settings but for the threads. What
/// a pipeline can reach at best.
final class BareModel {
    private static final int ROW = 3 * 224 * 224;

    private final String path;
    private final int threads;
    private final int batch;
    private final FloatBuffer values;

    /// Over random numbers.
    ///
    /// @param threads of one call
    BareModel(String path, int threads, int batch) {
        this(path, threads, batch, memory(batch));
        Random random = new Random(0);
        for (int i = 0; i < values.capacity(); i++) {
            values.put(i, (float) random.nextGaussian());
        }
    }

    private BareModel(String path, int threads, int batch, FloatBuffer values) {
        this.path = path;
        this.threads = threads;
        this.batch = batch;
        this.values = values;
    }

    /// Over a copy of images that are ready for the model.
    static BareModel over(DirectTensor images, String path, int threads) {
        int batch = Math.toIntExact(images.shape()[0]);
        FloatBuffer values = memory(batch);
        values.put(0, images.bytes().order(ByteOrder.nativeOrder()).asFloatBuffer(), 0, values.capacity());
        return new BareModel(path, threads, batch, values);
    }

    /// Images of one call.
    int batch() {
        return batch;
    }

    private static FloatBuffer memory(int batch) {
        return ByteBuffer.allocateDirect(batch * ROW * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    /// Seconds to load the model, to run so many batches and to close it.
    double seconds(long batches) throws Exception {
        long began = System.nanoTime();
        run(batches, () -> null);
        double seconds = (System.nanoTime() - began) / 1e9;
        MallocTrim.now();
        return seconds;
    }

    /// Seconds in which so many sessions, each on a thread of its own, run so many batches together, from when all are
    /// loaded.
    double seconds(int sessions, long batches) throws Exception {
        CyclicBarrier loaded = new CyclicBarrier(sessions);
        List<Future<double[]>> running = new ArrayList<>();
        double began = Double.MAX_VALUE;
        double ended = 0;
        try (ExecutorService pool = Executors.newFixedThreadPool(sessions)) {
            for (int i = 0; i < sessions; i++) {
                running.add(pool.submit(() -> run(batches / sessions, loaded::await)));
            }
            for (Future<double[]> session : running) {
                began = Math.min(began, session.get()[0]);
                ended = Math.max(ended, session.get()[1]);
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
        MallocTrim.now();
        return ended - began;
    }

    /// When the first batch began and the last ended, in seconds.
    private double[] run(long batches, Callable<?> whenLoaded) throws Exception {
        OrtEnvironment environment = OnnxEnvironment.get();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(threads);
            options.setInterOpNumThreads(1);
            try (OrtSession session = environment.createSession(path, options);
                    OnnxTensor tensor = tensor(environment)) {
                String input = session.getInputNames().iterator().next();
                whenLoaded.call();
                double began = System.nanoTime() / 1e9;
                for (long i = 0; i < batches; i++) {
                    session.run(Map.of(input, tensor)).close();
                }
                return new double[] {began, System.nanoTime() / 1e9};
            }
        }
    }

    private OnnxTensor tensor(OrtEnvironment environment) throws OrtException {
        return OnnxTensor.createTensor(environment, values.duplicate(), new long[] {batch, 3, 224, 224});
    }
}
