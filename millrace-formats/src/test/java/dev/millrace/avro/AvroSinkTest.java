package dev.millrace.avro;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.files.FileSink;
import dev.millrace.internal.avro.AvroOutput;
import dev.millrace.sink.WriteAvro;
import dev.millrace.sink.WriteOptions;
import dev.millrace.testing.SinkContract;

class AvroSinkTest extends SinkContract {
    @Override
    protected FileSink sink(String target, WriteOptions options) {
        return FileSink.to(target, new AvroOutput(WriteAvro.defaults()), options);
    }

    @Override
    protected Dataset read(Session from, String target) {
        return from.readAvro(target);
    }
}
