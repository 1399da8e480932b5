package dev.millrace.source.contract;

import dev.millrace.Dataset;
import dev.millrace.files.FileSource;
import dev.millrace.internal.source.ArrowReadFormat;
import dev.millrace.source.FileReads;
import dev.millrace.source.Source;
import java.util.List;

class ArrowSourceTest extends FileRows {
    @Override
    void write(Dataset dataset) {
        dataset.writeArrow(folder.toString());
    }

    @Override
    Source read(List<String> paths) {
        return FileSource.of(paths, new ArrowReadFormat(), FileReads.defaults());
    }
}
