package dev.millrace.internal.source;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.expression.ExpressionTypes;
import dev.millrace.source.FileReads;
import dev.millrace.source.FileSelection;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/// Selects which of the listed files are read, according to [FileSelection].
///
/// @param verb named in errors
/// @param packed endings of compression may follow extensions
/// @param partitions the columns of folders, with the types that a condition sees
record FileSelector(FileSelection selection, String verb, boolean packed, List<Field> partitions)
        implements Serializable {
    private static final int SHOWN = 5;

    /// Without the condition over folders, whose columns are not known yet.
    static FileSelector byPath(FileReads options, String verb, boolean packed) {
        FileSelection all = options.selection();
        return new FileSelector(
                new FileSelection(all.extensions(), all.excluded(), null, all.ignoreMissing()),
                verb,
                packed,
                List.of());
    }

    /// The same with the condition, if there is one.
    ///
    /// @param partitions the columns of folders
    /// @throws MillraceException culprit USER, if it is not a condition over them
    FileSelector byFolder(FileReads options, List<Field> partitions) {
        FileSelection all = options.selection();
        if (all.partitions() != null) {
            for (String column : all.partitions().columns()) {
                if (partitions.stream().noneMatch(field -> field.name().equals(column))) {
                    throw MillraceException.user(verb + ": partitionFilter(" + all.partitions() + ") has the column '"
                            + column + "', which the folders of the files do not make. "
                            + (partitions.isEmpty()
                                    ? "None of them is named key=value"
                                            + (options.hive() ? "." : ", as withoutPartitions() says.")
                                    : "They make " + Schema.of(partitions).names() + "."));
                }
            }
            ExpressionTypes.requireCondition(all.partitions(), Schema.of(partitions), "partitionFilter");
        }
        return new FileSelector(all, verb, packed, partitions);
    }

    /// Those of the files that are read.
    Iterator<StoredFile> select(Iterator<StoredFile> files) {
        List<PathExclusion> exclusions =
                selection.excluded().stream().map(PathExclusion::of).toList();
        Map<Map<String, String>, Boolean> folders = new HashMap<>();
        return PathListing.matching(
                files,
                file -> (selection.extensions().isEmpty()
                                || PathListing.hasEnding(file, selection.extensions(), packed))
                        && exclusions.stream().noneMatch(exclusion -> exclusion.covers(file.path()))
                        && (selection.partitions() == null || passes(selection.partitions(), file, folders)));
    }

    /// Files of one folder have the same values.
    private boolean passes(Expression condition, StoredFile file, Map<Map<String, String>, Boolean> folders) {
        FileConstants values = FileConstants.of(file.path(), true);
        List<Field> used = partitions.stream()
                .filter(field -> condition.columns().contains(field.name()))
                .toList();
        return folders.computeIfAbsent(values.keys(), _ -> values.passes(condition, Schema.of(used)));
    }

    /// The error of a read that has no files left.
    MillraceException nothingLeft(List<StoredFile> found) {
        List<String> said = new ArrayList<>();
        if (!selection.extensions().isEmpty()) {
            said.add("fileExtensions(" + String.join(", ", selection.extensions()) + ")");
        }
        if (!selection.excluded().isEmpty()) {
            said.add("exclude(" + String.join(", ", selection.excluded()) + ")");
        }
        if (selection.partitions() != null) {
            said.add("partitionFilter(" + selection.partitions() + ")");
        }
        return MillraceException.user(verb + ": no file is left by " + String.join(" and ", said) + ". There "
                + (found.size() == 1 ? "is " : "are ")
                + String.join(
                        ", ", found.stream().limit(SHOWN).map(StoredFile::path).toList())
                + (found.size() > SHOWN ? " and more." : "."));
    }
}
