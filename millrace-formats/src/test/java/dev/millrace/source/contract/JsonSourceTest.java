package dev.millrace.source.contract;

import dev.millrace.Dataset;
import dev.millrace.files.FileSource;
import dev.millrace.internal.jsonfile.JsonFormat;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadJson;
import dev.millrace.source.Source;
import java.util.List;

class JsonSourceTest extends FileRows {
    @Override
    void write(Dataset dataset) {
        dataset.writeJson(folder.toString());
    }

    @Override
    Source read(List<String> paths) {
        return FileSource.of(paths, new JsonFormat(ReadJson.defaults()), FileReads.defaults());
    }
}
