package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.storage.StoredFile;
import java.io.Serializable;
import java.util.List;

/// A file, or some row groups of it, to be read by one task.
///
/// @param stored with its size where the listing told it: then nobody asks for it again
/// @param columns null where the footer is left to the task (small files)
/// @param groups the row groups, null with `columns`
/// @param numbers which ones they are; for errors
/// @param first whether it is the first of the parts of its file that are read
/// @param table what the table says that the file belongs to; null: none does
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
