package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.schema.FileSchema;
import java.io.Serializable;
import java.util.List;

/// A file, or some row groups of it, to be read by one task.
///
/// @param columns null where the footer is left to the task (small files)
/// @param groups the row groups, null with `columns`
/// @param numbers which ones they are; for errors
/// @param table what the table says that the file belongs to; null: none does
record FilePart(String file, FileSchema columns, List<RowGroup> groups, int[] numbers, TableFile table)
        implements Serializable {
    FilePart(String file, FileSchema columns, List<RowGroup> groups, int[] numbers) {
        this(file, columns, groups, numbers, null);
    }

    static FilePart whole(String file) {
        return new FilePart(file, null, null, null);
    }

    long rows() {
        return groups.stream().mapToLong(RowGroup::rows).sum();
    }

    String description() {
        if (groups == null || groups.isEmpty()) {
            return file;
        }
        int last = numbers[numbers.length - 1];
        return file + (numbers.length == 1 ? ", row group " + last : ", row groups " + numbers[0] + "-" + last);
    }
}
