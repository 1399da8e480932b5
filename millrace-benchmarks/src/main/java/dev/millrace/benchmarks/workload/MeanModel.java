package dev.millrace.benchmarks.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// An ONNX file that replaces an image classifier if only the rest of the pipeline is measured: the input is float32
/// [batch, 3, 224, 224], the output is the means of the three planes, repeated 333 times.
final class MeanModel {
    private static final int FLOAT = 1;
    private static final int INT64 = 7;
    private static final int REPEATS = 333;

    private MeanModel() {}

    /// Writes the file.
    static String in(Path folder) throws IOException {
        return Files.write(folder.resolve("means.onnx"), bytes()).toString();
    }

    static byte[] bytes() {
        Message graph = new Message()
                .with(1, node("GlobalAveragePool", "means", "image"))
                .with(1, node("Flatten", "row", "means"))
                .with(1, node("Tile", "scores", "row", "repeats"))
                .with(2, "means")
                .with(5, repeats())
                .with(11, value("image", 3, 224, 224))
                .with(12, value("scores", 3 * REPEATS));
        return new Message()
                .with(1, 8)
                .with(7, graph)
                .with(8, new Message().with(2, 13))
                .bytes();
    }

    private static Message node(String operator, String output, String... inputs) {
        Message node = new Message();
        for (String input : inputs) {
            node.with(1, input);
        }
        return node.with(2, output).with(4, operator);
    }

    private static Message repeats() {
        byte[] values = ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(1)
                .putLong(REPEATS)
                .array();
        return new Message().with(1, 2).with(2, INT64).with(8, "repeats").with(9, values);
    }

    /// A float32 tensor whose first dimension is the batch.
    private static Message value(String name, long... row) {
        Message shape = new Message().with(1, new Message().with(2, "batch"));
        for (long size : row) {
            shape.with(1, new Message().with(1, size));
        }
        Message tensor = new Message().with(1, FLOAT).with(2, shape);
        return new Message().with(1, name).with(2, new Message().with(1, tensor));
    }

    /// A protocol buffers message, built field by field.
    private static final class Message {
        private static final int VARINT = 0;
        private static final int BYTES = 2;

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Message with(int field, long value) {
            varint((long) field << 3 | VARINT);
            varint(value);
            return this;
        }

        Message with(int field, byte[] value) {
            varint((long) field << 3 | BYTES);
            varint(value.length);
            out.writeBytes(value);
            return this;
        }

        Message with(int field, String value) {
            return with(field, value.getBytes(StandardCharsets.UTF_8));
        }

        Message with(int field, Message value) {
            return with(field, value.bytes());
        }

        byte[] bytes() {
            return out.toByteArray();
        }

        private void varint(long value) {
            for (; value >= 128; value >>>= 7) {
                out.write((int) (value & 127 | 128));
            }
            out.write((int) value);
        }
    }
}
