package dev.millrace.internal.audio;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.IntBuilder;
import dev.millrace.column.VariableTensorBuilder;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads WAV files, one row per file: `amplitude`, a float32 tensor of channels by samples from -1 to 1, and
/// `sample_rate`, the samples per second.
public record AudioFormat() implements ReadFormat {
    private static final String AMPLITUDE = "amplitude";
    private static final String RATE = "sample_rate";
    private static final DataType.VariableTensor TENSOR = DataType.variableTensor(DataType.FLOAT32, 2);
    private static final Schema SCHEMA = Schema.of(new Field(AMPLITUDE, TENSOR), new Field(RATE, DataType.INT32));

    @Override
    public String name() {
        return "Audio";
    }

    @Override
    public String verb() {
        return "readAudio";
    }

    @Override
    public List<String> endings() {
        return List.of(".wav", ".wave");
    }

    @Override
    public Schema schema(FileRange first, ReadContext context) {
        return SCHEMA;
    }

    @Override
    public boolean hasRowPerFile() {
        return true;
    }

    /// Samples of 16 bits, which are usual, become floats of 32 bits.
    @Override
    public double expansion() {
        return 2;
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) {
        wanted.requireKnown(SCHEMA.names(), range, this);
        return new SplitReader() {
            private boolean done;

            @Override
            public @Nullable Block next() throws IOException {
                if (done) {
                    return null;
                }
                done = true;
                return row(range, wanted, context.allocator());
            }
        };
    }

    private static Block row(FileRange range, WantedColumns wanted, Allocator allocator) throws IOException {
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            Buffer data = range.readAll(allocator, 0);
            try {
                WavSamples samples = WavSamples.of(range.path(), data.segment());
                if (wanted.contains(AMPLITUDE)) {
                    fields.add(SCHEMA.field(0));
                    columns.add(scope.add(amplitudes(samples, allocator)));
                }
                if (wanted.contains(RATE)) {
                    fields.add(SCHEMA.field(1));
                    columns.add(scope.add(rate(samples, allocator)));
                }
            } finally {
                data.release();
            }
            return scope.keep(Block.of(Schema.of(fields), columns, 1));
        }
    }

    private static Column amplitudes(WavSamples samples, Allocator allocator) {
        try (VariableTensorBuilder builder = new VariableTensorBuilder(allocator, TENSOR, 1)) {
            samples.write(builder.appendUninitialised(samples.channels(), samples.frames()));
            return builder.build();
        }
    }

    private static Column rate(WavSamples samples, Allocator allocator) {
        try (IntBuilder builder = new IntBuilder(allocator, DataType.INT32, 1)) {
            builder.append(samples.rate());
            return builder.build();
        }
    }
}
