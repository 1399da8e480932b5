package dev.millrace.source.contract;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.Source;
import dev.millrace.testing.SourceContract;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// The contract for a source of files that this project also writes: the same rows in three files, read back.
abstract class FileRows extends SourceContract {
    static final int ROWS = 5_000;

    @TempDir
    Path folder;

    /// Writes the dataset to the folder.
    abstract void write(Dataset dataset);

    /// Reads the folder.
    abstract Source read(List<String> paths);

    @BeforeEach
    void fill() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            write(session.range(ROWS, 3)
                    .map(row -> row.with("text", "row " + row.getLong("id"))
                            .with("half", row.getLong("id") % 7 == 0 ? null : row.getLong("id") / 2.0)));
        }
    }

    @Override
    protected Source source() {
        return read(List.of(folder.toString()));
    }

    @Override
    protected List<Map<String, Object>> rows() {
        return LongStream.range(0, ROWS)
                .mapToObj(id -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("id", id);
                    row.put("text", "row " + id);
                    row.put("half", id % 7 == 0 ? null : id / 2.0);
                    return row;
                })
                .toList();
    }
}
