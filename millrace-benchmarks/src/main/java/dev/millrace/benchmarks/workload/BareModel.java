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

/// onnxruntime without Millrace: the same batch repeatedly, with default settings except for the threads. This is the
/// upper bound of a pipeline.
final class BareModel {
    private static final int ROW = 3 * 224 * 224;

    private final String path;
    private final int threads;
    private final int batch;
    private final FloatBuffer values;

    /// With random input.
    ///
    /// @param threads the number of threads of one call
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

    /// With a copy of preprocessed images as input.
    static BareModel over(DirectTensor images, String path, int threads) {
        int batch = Math.toIntExact(images.shape()[0]);
        FloatBuffer values = memory(batch);
        values.put(0, images.bytes().order(ByteOrder.nativeOrder()).asFloatBuffer(), 0, values.capacity());
        return new BareModel(path, threads, batch, values);
    }

    /// The number of images per call.
    int batch() {
        return batch;
    }

    private static FloatBuffer memory(int batch) {
        return ByteBuffer.allocateDirect(batch * ROW * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    /// The seconds to load the model, to run this many batches and to close it.
    double seconds(long batches) throws Exception {
        long began = System.nanoTime();
        run(batches, () -> null);
        double seconds = (System.nanoTime() - began) / 1e9;
        MallocTrim.now();
        return seconds;
    }

    /// The seconds in which this many sessions, each on its own thread, run this many batches together, measured after
    /// all are loaded.
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

    /// The times at which the first batch began and the last ended, in seconds.
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
