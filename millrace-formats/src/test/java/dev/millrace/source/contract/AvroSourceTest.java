package dev.millrace.source.contract;

import dev.millrace.Dataset;
import dev.millrace.files.FileSource;
import dev.millrace.internal.avro.AvroFormat;
import dev.millrace.source.FileReads;
import dev.millrace.source.Source;
import java.util.List;

class AvroSourceTest extends FileRows {
    @Override
    void write(Dataset dataset) {
        dataset.writeAvro(folder.toString());
    }

    @Override
    Source read(List<String> paths) {
        return FileSource.of(paths, new AvroFormat(), FileReads.defaults());
    }
}
