package dev.millrace.tfrecord;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.files.FileSink;
import dev.millrace.internal.tfrecord.TfRecordOutput;
import dev.millrace.sink.WriteOptions;
import dev.millrace.source.ReadTfRecords;
import dev.millrace.testing.SinkContract;
import dev.millrace.type.DataType;

class TfRecordSinkTest extends SinkContract {
    @Override
    protected FileSink sink(String target, WriteOptions options) {
        return FileSink.to(target, new TfRecordOutput(null), options);
    }

    @Override
    protected Dataset read(Session from, String target) {
        Dataset rows = from.readTfRecords(target);
        return rows.schema().contains("text")
                ? from.readTfRecords(target, ReadTfRecords.defaults().type("text", DataType.UTF8))
                : rows;
    }

    @Override
    protected boolean holdsSchema() {
        return false;
    }
}
