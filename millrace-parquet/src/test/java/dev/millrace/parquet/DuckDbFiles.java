package dev.millrace.parquet;

import dev.millrace.Dataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Files that DuckDB writes, and rows as maps.
final class DuckDbFiles {
    private DuckDbFiles() {}

    /// @param options of `COPY ... TO`, beside the format
    static Path write(Path file, String query, String... options) {
        try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckdb.createStatement()) {
            Files.createDirectories(file.getParent());
            statement.execute("COPY (" + query + ") TO '" + file + "' (FORMAT parquet"
                    + (options.length == 0 ? "" : ", " + String.join(", ", options)) + ")");
        } catch (SQLException | IOException e) {
            throw new IllegalStateException(e);
        }
        return file;
    }

    static List<Map<String, Object>> rows(Dataset dataset) {
        return dataset.takeAll().stream()
                .map(row -> {
                    Map<String, Object> values = new LinkedHashMap<>();
                    for (int i = 0; i < row.size(); i++) {
                        values.put(row.name(i), row.value(i));
                    }
                    return values;
                })
                .toList();
    }
}
