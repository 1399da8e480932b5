package dev.millrace.webdataset;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.files.FileSink;
import dev.millrace.internal.webdataset.WebDatasetOutput;
import dev.millrace.sink.WriteOptions;
import dev.millrace.source.ReadWebDataset;
import dev.millrace.testing.SinkContract;
import dev.millrace.type.DataType;

class WebDatasetSinkTest extends SinkContract {
    @Override
    protected FileSink sink(String target, WriteOptions options) {
        return FileSink.to(target, new WebDatasetOutput(), options);
    }

    @Override
    protected Dataset read(Session from, String target) {
        ReadWebDataset options = ReadWebDataset.defaults().type("id", DataType.INT64);
        Dataset rows = from.readWebDataset(target, options);
        return (rows.schema().contains("text")
                        ? from.readWebDataset(target, options.type("text", DataType.UTF8))
                        : rows)
                .drop("__key__");
    }

    @Override
    protected boolean holdsSchema() {
        return false;
    }
}
