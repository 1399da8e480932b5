package dev.millrace.internal.source;

import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The table formats by file ending.
public final class FileEndings {
    private static final List<String> PACKED = List.of(".gz", ".bz2", ".zst", ".lz4", ".snappy", ".xz");
    private static final int MAX_LOOKED_AT = 10_000;

    private FileEndings() {}

    /// The format of a file ending (parquet, csv, json, arrow, avro), or null.
    public static @Nullable String format(String path) {
        return switch (ending(path)) {
            case "parquet", "pq" -> "parquet";
            case "csv", "tsv" -> "csv";
            case "json", "jsonl", "ndjson" -> "json";
            case "arrow", "arrows", "feather", "ipc" -> "arrow";
            case "avro" -> "avro";
            default -> null;
        };
    }

    /// Whether a file of the format csv has tabs between its values.
    public static boolean isTabSeparated(String path) {
        return ending(path).equals("tsv");
    }

    private static String ending(String path) {
        String name = path.toLowerCase(Locale.ROOT);
        for (String packed : PACKED) {
            name = name.endsWith(packed) ? name.substring(0, name.length() - packed.length()) : name;
        }
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /// A file whose ending determines the format of a path: the path itself, or the first such file of a folder.
    ///
    /// @param path a file, a folder, a glob, or any of a scheme such as s3://
    /// @throws MillraceException culprit USER, if no ending determines a format
    public static String telling(String path) {
        String told = format(path) != null ? path : null;
        if (told == null && !path.contains("://") && Files.isDirectory(Path.of(path))) {
            told = inside(Path.of(path));
        }
        if (told == null) {
            throw MillraceException.user("'" + path + "' does not tell its format. Give a file, a glob such as"
                    + " 'trips/*.parquet' or a folder whose files end in parquet, csv, tsv, json, jsonl, ndjson, arrow,"
                    + " feather or avro.");
        }
        return told;
    }

    private static @Nullable String inside(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.limit(MAX_LOOKED_AT)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> Objects.nonNull(format(name)))
                    .findFirst()
                    .orElse(null);
        } catch (IOException e) {
            throw MillraceException.user("The folder '" + folder + "' could not be listed: " + e.getMessage() + ".");
        }
    }
}
