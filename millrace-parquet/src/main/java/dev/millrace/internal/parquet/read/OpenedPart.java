package dev.millrace.internal.parquet.read;

import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.format.RowGroup;
import dev.millrace.internal.parquet.format.SchemaElement;
import dev.millrace.internal.parquet.schema.FieldIds;
import dev.millrace.internal.parquet.schema.FileSchema;
import dev.millrace.internal.source.FileConstants;
import dev.millrace.source.ReadContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A part of a file after its footer has been read.
///
/// @param plan the plan of the read, adapted to this file
/// @param deleted by row number in the file; null if none is deleted
/// @param firstRows the first row of each row group, for rows that are deleted
record OpenedPart(
        FileSchema columns,
        List<RowGroup> groups,
        ParquetReadPlan plan,
        FileConstants constants,
        @Nullable DeletedRows deleted,
        long[] firstRows) {
    private static final long[] NO_ROWS = {};

    static OpenedPart of(FilePart part, FileBytes bytes, ParquetReadPlan plan, ReadContext context) {
        if (part.table() != null) {
            return ofTable(part.table(), FileFooter.read(bytes), plan, context);
        }
        FileConstants constants =
                FileConstants.of(part.file(), plan.options().files().hive());
        FilePart.Groups chosen = part.groups();
        if (chosen != null) {
            return new OpenedPart(chosen.columns(), chosen.rowGroups(), plan, constants, null, NO_ROWS);
        }
        FileFooter footer = FileFooter.read(bytes);
        return new OpenedPart(
                footer.columns(plan.options().int96()), footer.metadata().rowGroups(), plan, constants, null, NO_ROWS);
    }

    private static OpenedPart ofTable(TableFile file, FileFooter footer, ParquetReadPlan plan, ReadContext context) {
        FileSchema columns = FileSchema.of(FieldIds.rename(identified(file, footer), file.names()));
        Map<String, Object> values = new HashMap<>(file.constants());
        file.defaults().forEach((name, value) -> {
            if (!columns.schema().contains(name)) {
                values.putIfAbsent(name, value);
            }
        });
        List<RowGroup> groups = new ArrayList<>();
        List<Long> rows = new ArrayList<>();
        long row = 0;
        for (RowGroup group : footer.metadata().rowGroups()) {
            long start =
                    group.columns().isEmpty() ? 0 : group.columns().getFirst().start();
            if (start >= file.from() && start < file.to()) {
                groups.add(group);
                rows.add(row);
            }
            row += group.rows();
        }
        return new OpenedPart(
                columns,
                groups,
                values.isEmpty() ? plan : plan.with(values.keySet()),
                FileConstants.given(file.path(), values),
                file.deletes() == null ? null : file.deletes().load(context),
                rows.stream().mapToLong(Long::longValue).toArray());
    }

    private static List<SchemaElement> identified(TableFile file, FileFooter footer) {
        List<SchemaElement> elements = footer.metadata().schema();
        if (FieldIds.areIn(elements)) {
            return elements;
        }
        if (file.ids().isEmpty()) {
            throw new MalformedParquet("its columns have no field ids, and the table has no mapping of names to ids"
                    + " (the property schema.name-mapping.default)");
        }
        return FieldIds.assign(elements, file.ids());
    }

    /// By row number in a row group.
    @Nullable
    DeletedRows deletedIn(int group) {
        DeletedRows ofFile = deleted;
        if (ofFile == null) {
            return null;
        }
        long first = firstRows[group];
        return row -> ofFile.isDeleted(first + row);
    }
}
