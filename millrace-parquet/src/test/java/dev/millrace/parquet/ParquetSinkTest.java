package dev.millrace.parquet;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.internal.parquet.write.ParquetFileFormat;
import dev.millrace.sink.FileSink;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteParquet;
import dev.millrace.testing.SinkContract;

class ParquetSinkTest extends SinkContract {
    @Override
    protected FileSink sink(String target, WriteOptions options) {
        return FileSink.to(target, new ParquetFileFormat(WriteParquet.defaults()), options);
    }

    @Override
    protected Dataset read(Session from, String target) {
        return from.readParquet(target);
    }
}
