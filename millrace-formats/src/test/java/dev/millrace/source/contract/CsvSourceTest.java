package dev.millrace.source.contract;

import dev.millrace.Dataset;
import dev.millrace.files.FileSource;
import dev.millrace.internal.csv.CsvFormat;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadCsv;
import dev.millrace.source.Source;
import java.util.List;

class CsvSourceTest extends FileRows {
    @Override
    void write(Dataset dataset) {
        dataset.writeCsv(folder.toString());
    }

    @Override
    Source read(List<String> paths) {
        return FileSource.of(paths, new CsvFormat(ReadCsv.defaults()), FileReads.defaults());
    }
}
