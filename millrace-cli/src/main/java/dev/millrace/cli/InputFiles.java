package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.internal.source.FileEndings;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What a command reads: tables as SQL reads them, and files of other formats.
final class InputFiles {
    @Option(
            names = "--from",
            paramLabel = "FORMAT",
            description = "the format of what is read: parquet, csv, json, arrow, avro, text, numpy, tfrecord,"
                    + " webdataset, images, binary (default: by the ending)")
    private @Nullable String format;

    Dataset open(Session session, String path) {
        String known = format != null ? format.toLowerCase(Locale.ROOT) : otherFormat(path);
        return known == null ? session.readTable(path) : session.read(known, List.of(path), null);
    }

    /// The format by name, or as the ending of a file says.
    String format(String path) {
        if (format != null) {
            return format.toLowerCase(Locale.ROOT);
        }
        String other = otherFormat(path);
        return other == null ? String.valueOf(FileEndings.format(FileEndings.telling(path))) : other;
    }

    /// Formats that are no tables of SQL.
    private static @Nullable String otherFormat(String path) {
        String name = path.toLowerCase(Locale.ROOT);
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "npy", "npz" -> "numpy";
            case "tfrecord", "tfrecords" -> "tfrecord";
            case "tar" -> "webdataset";
            case "txt", "log", "text" -> "text";
            case "jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "gif" -> "images";
            default -> null;
        };
    }
}
