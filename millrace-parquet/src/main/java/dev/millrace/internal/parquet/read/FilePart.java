package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.storage.StoredFile;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A file, or some of its row groups, to be read by one task.
///
/// @param stored with its size if the listing has it, so that it is not requested again
/// @param groups the row groups to read; null if the task reads the footer (small files)
/// @param first whether it is the first part of its file that is read
/// @param table how a table maps the file; null if it belongs to none
record FilePart(
        StoredFile stored,
        @Nullable Groups groups,
        boolean first,
        @Nullable TableFile table) implements Serializable {
    /// Some row groups of a file whose footer was read when the read was planned.
    ///
    /// @param numbers of the row groups, at least one; for errors
    record Groups(FileSchema columns, List<RowGroup> rowGroups, int[] numbers) implements Serializable {
        long rows() {
            return rowGroups.stream().mapToLong(RowGroup::rows).sum();
        }
    }

    static FilePart of(TableFile file) {
        return new FilePart(file.stored(), null, true, file);
    }

    static FilePart whole(StoredFile file) {
        return new FilePart(file, null, true, null);
    }

    /// Its path.
    String file() {
        return stored.path();
    }

    String description() {
        if (groups == null) {
            return file();
        }
        int[] numbers = groups.numbers();
        int last = numbers[numbers.length - 1];
        return file() + (numbers.length == 1 ? ", row group " + last : ", row groups " + numbers[0] + "-" + last);
    }
}
