package dev.millrace.internal.parquet.write;

import dev.millrace.arrow.IpcWriter;
import dev.millrace.compression.IpcCompression;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Schema;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Base64;

/// The Arrow schema in the form that pyarrow stores in a footer: preserves what Parquet's types cannot express.
final class ArrowSchema {
    static final String KEY = "ARROW:schema";
    /// The end-of-stream marker.
    private static final int END = 8;

    private ArrowSchema() {}

    static String encoded(Schema schema, Allocator allocator) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        IpcWriter.stream(bytes, schema, IpcCompression.NONE, allocator).close();
        byte[] stream = bytes.toByteArray();
        return Base64.getEncoder().encodeToString(Arrays.copyOf(stream, stream.length - END));
    }
}
