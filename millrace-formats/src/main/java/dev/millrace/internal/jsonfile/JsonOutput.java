package dev.millrace.internal.jsonfile;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.internal.json.JsonSink;
import dev.millrace.internal.json.ValueWriter;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteJson;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes rows as JSON objects, one per line or in one array per file.
public record JsonOutput(WriteJson options) implements FileFormat {
    @Override
    public String name() {
        return "JSON";
    }

    @Override
    public String extension() {
        return "json";
    }

    @Override
    public List<String> endings() {
        return List.of(".json", ".jsonl", ".ndjson");
    }

    @Override
    public Writer open(WritableByteChannel out, Schema schema, Allocator allocator) {
        return new RowWriter(out, schema, options);
    }

    private static final class RowWriter implements Writer {
        private final WritableByteChannel channel;
        private final JsonSink out;
        private final WriteJson options;
        private final ValueWriter values;
        /// `"name":`, escaped.
        private final byte[][] keys;

        private boolean failed;
        private boolean any;

        RowWriter(WritableByteChannel channel, Schema schema, WriteJson options) {
            this.channel = channel;
            this.out = new JsonSink(channel);
            this.options = options;
            this.values = new ValueWriter(out, options.withoutNulls(), options.namedFloats());
            this.keys = schema.names().stream().map(RowWriter::key).toArray(byte[][]::new);
        }

        private static byte[] key(String name) {
            JsonSink key = new JsonSink(null);
            byte[] plain = name.getBytes(StandardCharsets.UTF_8);
            key.putText(MemorySegment.ofArray(plain), 0, plain.length);
            key.put(':');
            return key.toArray();
        }

        @Override
        public void write(Block block) throws IOException {
            failed = true;
            Column[] columns = block.columns().toArray(Column[]::new);
            for (long row = 0; row < block.rows(); row++) {
                if (options.array()) {
                    out.put(any ? ",\n" : "[");
                }
                any = true;
                write(columns, row);
                if (!options.array()) {
                    out.put('\n');
                }
                out.endRow();
            }
            failed = false;
        }

        private void write(Column[] columns, long row) {
            out.put('{');
            boolean first = true;
            for (int i = 0; i < columns.length; i++) {
                if (options.withoutNulls() && columns[i].isNull(row)) {
                    continue;
                }
                if (!first) {
                    out.put(',');
                }
                first = false;
                out.put(keys[i]);
                values.write(columns[i], row);
            }
            out.put('}');
        }

        @Override
        public void close() throws IOException {
            try (channel) {
                if (!failed) {
                    if (options.array()) {
                        out.put(any ? "]\n" : "[]\n");
                    }
                    out.flush();
                }
            }
        }
    }
}
