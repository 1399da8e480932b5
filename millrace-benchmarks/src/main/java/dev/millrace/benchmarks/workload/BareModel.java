package dev.millrace.benchmarks.workload;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.internal.onnx.Environment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Map;
import java.util.Random;

/// onnxruntime alone, without Millrace: the same batch of random numbers again and again. What a pipeline can reach at
/// best.
final class BareModel {
    private static final int ROW = 3 * 224 * 224;

    private BareModel() {}

    /// Seconds to load the model, to run so many batches and to close it, with onnxruntime's own settings but for the threads.
    static double seconds(String path, int threads, int batch, long batches) throws OrtException {
        FloatBuffer values = ByteBuffer.allocateDirect(batch * ROW * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
        Random random = new Random(0);
        for (int i = 0; i < values.capacity(); i++) {
            values.put(i, (float) random.nextGaussian());
        }
        OrtEnvironment environment = Environment.get();
        long began = System.nanoTime();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(threads);
            options.setInterOpNumThreads(1);
            try (OrtSession session = environment.createSession(path, options);
                    OnnxTensor tensor = OnnxTensor.createTensor(environment, values, new long[] {batch, 3, 224, 224})) {
                String input = session.getInputNames().iterator().next();
                for (long i = 0; i < batches; i++) {
                    session.run(Map.of(input, tensor)).close();
                }
            }
        }
        return (System.nanoTime() - began) / 1e9;
    }
}
