package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.storage.StoredFile;
import java.io.Serializable;
import java.util.List;

/// A file, or some of its row groups, to be read by one task.
///
/// @param stored with its size if the listing has it, so that it is not requested again
/// @param columns null if the task reads the footer (small files)
/// @param groups the row groups, null with `columns`
/// @param numbers the numbers of the row groups; for errors
/// @param first whether it is the first part of its file that is read
/// @param table how a table maps the file; null if it belongs to none
record FilePart(
        StoredFile stored, FileSchema columns, List<RowGroup> groups, int[] numbers, boolean first, TableFile table)
        implements Serializable {
    static FilePart of(TableFile file) {
        return new FilePart(file.stored(), null, null, null, true, file);
    }

    static FilePart whole(StoredFile file) {
        return new FilePart(file, null, null, null, true, null);
    }

    /// Its path.
    String file() {
        return stored.path();
    }

    long rows() {
        return groups.stream().mapToLong(RowGroup::rows).sum();
    }

    String description() {
        if (groups == null || groups.isEmpty()) {
            return file();
        }
        int last = numbers[numbers.length - 1];
        return file() + (numbers.length == 1 ? ", row group " + last : ", row groups " + numbers[0] + "-" + last);
    }
}
