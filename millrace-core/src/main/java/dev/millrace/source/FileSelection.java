package dev.millrace.source;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Which of the files that paths, folders and globs name are read.
///
/// @param extensions their endings, in lower case with the dot (".csv"); empty: the format's own, in folders
/// @param excluded paths and globs of files and folders that are excluded
/// @param partitions a condition over the columns of folders named `key=value`; null: none
/// @param ignoreMissing missing paths are ignored, as long as one exists
public record FileSelection(
        List<String> extensions,
        List<String> excluded,
        @Nullable Expression partitions,
        boolean ignoreMissing) implements Serializable {
    static final FileSelection ALL = new FileSelection(List.of(), List.of(), null, false);

    public FileSelection {
        extensions = extensions.stream().map(FileSelection::ending).toList();
        excluded = List.copyOf(excluded);
        if (excluded.stream().anyMatch(String::isBlank)) {
            throw MillraceException.user("exclude: an empty path names no file. Give a path, a name or a glob.");
        }
    }

    /// "csv", ".csv" and "CSV" are the same.
    private static String ending(String extension) {
        String name = extension.strip().toLowerCase(Locale.ROOT);
        if (name.isEmpty() || name.equals(".") || name.contains("/") || name.contains("*")) {
            throw MillraceException.user(
                    "fileExtensions: '" + extension + "' is no extension. Give the end of names, as \"csv\".");
        }
        return name.startsWith(".") ? name : "." + name;
    }

    FileSelection extensions(String... names) {
        return new FileSelection(List.of(names), excluded, partitions, ignoreMissing);
    }

    FileSelection exclude(String... paths) {
        List<String> all = new ArrayList<>(excluded);
        all.addAll(List.of(paths));
        return new FileSelection(extensions, all, partitions, ignoreMissing);
    }

    FileSelection where(Expression condition) {
        return new FileSelection(
                extensions, excluded, partitions == null ? condition : partitions.and(condition), ignoreMissing);
    }

    FileSelection ignoringMissing() {
        return new FileSelection(extensions, excluded, partitions, true);
    }
}
