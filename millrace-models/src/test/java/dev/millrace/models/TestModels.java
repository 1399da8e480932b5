package dev.millrace.models;

import dev.millrace.testing.Python;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/// Small models that Python's onnx package makes, with inputs and what Python's onnxruntime answers: once for all
/// tests.
public final class TestModels {
    private static Path folder;

    private TestModels() {}

    public static synchronized Path folder() {
        if (folder == null) {
            try {
                Path made = Files.createTempDirectory("millrace-models");
                Python.environment("models").run(TestModels.class, "make_models.py", made.toString());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(made)));
                folder = made;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return folder;
    }

    /// The path of a model.
    public static String model(String name) {
        return folder().resolve(name + ".onnx").toString();
    }

    public static OnnxModel onnx(String name) {
        return OnnxModel.of(model(name));
    }

    /// What an input or output held when Python ran the model, row by row.
    public static float[][] floats(String name, int rows) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(folder().resolve(name + ".bin")))
                    .order(ByteOrder.LITTLE_ENDIAN);
            float[][] values = new float[rows][bytes.remaining() / Float.BYTES / rows];
            for (float[] row : values) {
                for (int i = 0; i < row.length; i++) {
                    row[i] = bytes.getFloat();
                }
            }
            return values;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException _) {
            // Temporary files that stay do no harm.
        }
    }
}
