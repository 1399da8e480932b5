package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.source.FileEndings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// Where the rows of a command go: one file if the name has a format's ending, else the files of a folder. What is
/// there is replaced.
record ResultOutput(String path, String format) {
    /// Formats that only a folder can have.
    private static final List<String> FOLDERS = List.of("numpy", "tfrecord", "webdataset", "text");

    /// In the format of the ending, else parquet.
    static ResultOutput of(String path) {
        return new ResultOutput(path, Objects.requireNonNullElse(FileEndings.format(path), "parquet"));
    }

    /// @param format null: by the ending, else parquet
    static ResultOutput of(CommandSpec spec, String path, @Nullable String format) {
        if (format == null) {
            return of(path);
        }
        String as = format.toLowerCase(Locale.ROOT);
        if (!ResultFile.FORMATS.contains(as) && !FOLDERS.contains(as)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "files are written as " + String.join(", ", ResultFile.FORMATS) + ", and in a folder as "
                            + String.join(", ", FOLDERS) + ", not as '" + format + "'.");
        }
        return new ResultOutput(path, as);
    }

    /// @return the number of rows
    long write(Session session, Dataset rows) {
        if (!ResultFile.FORMATS.contains(format)
                || FileEndings.format(path) == null
                || path.contains("://")
                || Files.isDirectory(Path.of(path))) {
            return ResultFile.writeFolder(rows, format, path);
        }
        try {
            return ResultFile.write(session, rows, format, Path.of(path));
        } catch (IOException e) {
            throw MillraceException.user("'" + path + "' could not be written: " + e.getMessage() + ".");
        }
    }
}
