package dev.millrace.iceberg;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.testing.Python;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Tables that pyiceberg made, in a catalog that both sides open.
final class IcebergTables implements AutoCloseable {
    private final Path folder;
    private final IcebergCatalog catalog;
    private final Map<String, String> told = new HashMap<>();

    /// @param folder empty
    /// @param kinds which functions of the script are called
    static IcebergTables make(Path folder, String... kinds) {
        return new IcebergTables(folder, kinds);
    }

    private IcebergTables(Path folder, String... kinds) {
        this.folder = folder;
        for (String line : python("make", kinds).lines().toList()) {
            String[] parts = line.split(" ", -1);
            told.put(parts[0], parts[1]);
        }
        catalog = Iceberg.catalog(
                "test",
                Map.of(
                        "type", "jdbc",
                        "uri", "jdbc:sqlite:" + folder.resolve("catalog.db"),
                        "warehouse", "file://" + folder.resolve("warehouse")));
    }

    private String python(String mode, String... more) {
        List<String> arguments = Stream.concat(Stream.of(mode, folder.toString()), Arrays.stream(more))
                .toList();
        return Python.environment("iceberg")
                .run(IcebergTables.class, "iceberg_tables.py", arguments.toArray(String[]::new));
    }

    /// A number that the script printed.
    long told(String name) {
        return Long.parseLong(told.get(name));
    }

    IcebergCatalog catalog() {
        return catalog;
    }

    IcebergTable table(String name) {
        return catalog.table("db." + name);
    }

    /// What pyiceberg read when it made the table.
    List<String> expected(Session session, String name) {
        return rows(
                session.readArrow(folder.resolve("expected/" + name + ".arrow").toString()));
    }

    /// Makes what [#expected] gives what pyiceberg reads now: one process for many tables.
    void askPython(String... names) {
        python("read", names);
    }

    /// What pyiceberg reads now.
    List<String> readByPython(Session session, String name) {
        askPython(name);
        return expected(session, name);
    }

    /// Every row as text, sorted: a table has no order.
    static List<String> rows(Dataset dataset) {
        return dataset.takeAll().stream().map(IcebergTables::text).sorted().toList();
    }

    private static String text(Object value) {
        return switch (value) {
            case Row row -> {
                StringBuilder text = new StringBuilder("{");
                for (int i = 0; i < row.size(); i++) {
                    text.append(row.name(i))
                            .append('=')
                            .append(text(row.value(i)))
                            .append(' ');
                }
                yield text.append('}').toString();
            }
            case byte[] bytes -> Arrays.toString(bytes);
            case List<?> list -> list.stream().map(IcebergTables::text).toList().toString();
            case null -> "null";
            default -> value.toString();
        };
    }

    /// Data files in the folder of a table.
    List<Path> files(String name) {
        try (Stream<Path> all = Files.walk(folder.resolve("warehouse/db/" + name))) {
            return all.filter(file -> file.toString().endsWith(".parquet")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        catalog.close();
    }
}
