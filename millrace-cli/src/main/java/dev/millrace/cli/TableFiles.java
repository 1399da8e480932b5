package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.source.ReadCsv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

/// Files as tables, by the endings of their names.
final class TableFiles {
    private static final List<String> PACKED = List.of(".gz", ".bz2", ".zst", ".lz4", ".snappy", ".xz");
    private static final int MOST_LOOKED_AT = 10_000;

    private TableFiles() {}

    /// @param path a file, a folder, a glob, or any of a scheme such as s3://
    /// @throws MillraceException culprit USER, where the ending tells no format
    static Dataset read(Session session, String path) {
        String format = format(path);
        if (format == null && !path.contains("://") && Files.isDirectory(Path.of(path))) {
            format = inside(Path.of(path));
        }
        if (format == null) {
            throw MillraceException.user("'" + path + "' does not tell its format. Give a file, a glob such as"
                    + " 'trips/*.parquet' or a folder whose files end in parquet, csv, tsv, json, jsonl, ndjson, arrow,"
                    + " feather or avro.");
        }
        return switch (format) {
            case "csv" -> session.readCsv(path, isTabs(path) ? ReadCsv.tsv() : ReadCsv.defaults());
            case "json" -> session.readJson(path);
            case "arrow" -> session.readArrow(path);
            case "avro" -> session.readAvro(path);
            default -> session.readParquet(path);
        };
    }

    /// The format that a name's ending tells, or null.
    static String format(String path) {
        String name = path.toLowerCase(Locale.ROOT);
        for (String packed : PACKED) {
            name = name.endsWith(packed) ? name.substring(0, name.length() - packed.length()) : name;
        }
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "parquet", "pq" -> "parquet";
            case "csv", "tsv" -> "csv";
            case "json", "jsonl", "ndjson" -> "json";
            case "arrow", "arrows", "feather", "ipc" -> "arrow";
            case "avro" -> "avro";
            default -> null;
        };
    }

    private static boolean isTabs(String path) {
        return path.toLowerCase(Locale.ROOT).contains(".tsv");
    }

    /// The format of the first file of a folder that tells one.
    private static String inside(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.limit(MOST_LOOKED_AT)
                    .map(file -> format(file.getFileName().toString()))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        } catch (IOException e) {
            throw MillraceException.user("The folder '" + folder + "' could not be listed: " + e.getMessage() + ".");
        }
    }
}
