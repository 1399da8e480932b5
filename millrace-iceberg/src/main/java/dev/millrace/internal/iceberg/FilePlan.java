package dev.millrace.internal.iceberg;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.read.TableFile;
import dev.millrace.storage.StoredFile;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.MappedFields;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.PartitionUtil;
import org.jspecify.annotations.Nullable;

/// Plans which files of a snapshot a read needs, in the order in which they were added to the table. Unsupported files
/// are rejected here, before anything is read.
final class FilePlan {
    private final Table table;
    private final org.apache.iceberg.Schema schema;
    private final Schema columns;
    private final Map<Integer, String> names;
    private final Map<List<String>, Integer> ids;
    private final Map<String, Object> defaults = new HashMap<>();

    private FilePlan(Table table, org.apache.iceberg.Schema schema, Schema columns) {
        this.table = table;
        this.schema = schema;
        this.columns = columns;
        this.names = IcebergTypes.names(schema);
        this.ids = mapped(table.properties().get(TableProperties.DEFAULT_NAME_MAPPING));
        for (Types.NestedField field : schema.columns()) {
            if (field.initialDefault() != null) {
                defaults.put(field.name(), IcebergValues.toJava(field.type(), field.initialDefault()));
            }
        }
    }

    /// @param filter files that cannot contain matching rows are skipped
    static List<PlannedFile> of(
            Table table,
            long snapshot,
            org.apache.iceberg.Schema schema,
            Schema columns,
            dev.millrace.expression.@Nullable Expression filter) {
        FilePlan plan = new FilePlan(table, schema, columns);
        TableScan scan = table.newScan().useSnapshot(snapshot).filter(new FilterTranslation(schema).translate(filter));
        List<FileScanTask> tasks = new ArrayList<>();
        try (CloseableIterable<FileScanTask> all = scan.planFiles()) {
            all.forEach(tasks::add);
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.RESOURCES, "The metadata of " + table.name() + " could not be read: " + e, e);
        }
        tasks.sort(Comparator.comparing(
                        (FileScanTask task) -> task.file().dataSequenceNumber(),
                        Comparator.nullsFirst(Comparator.naturalOrder()))
                .thenComparing(task -> task.file().location()));
        return tasks.stream().map(plan::planned).toList();
    }

    private static Map<List<String>, Integer> mapped(@Nullable String json) {
        Map<List<String>, Integer> ids = new HashMap<>();
        if (json != null) {
            mapped(NameMappingParser.fromJson(json).asMappedFields(), List.of(), ids);
        }
        return ids;
    }

    private static void mapped(MappedFields fields, List<String> above, Map<List<String>, Integer> ids) {
        for (MappedField field : fields.fields()) {
            for (String name : field.names()) {
                List<String> path = new ArrayList<>(above);
                path.add(name);
                if (field.id() != null) {
                    ids.put(path, field.id());
                }
                if (field.nestedMapping() != null) {
                    mapped(field.nestedMapping(), path, ids);
                }
            }
        }
    }

    private PlannedFile planned(FileScanTask task) {
        if (task.isDataTask()) {
            throw MillraceException.user(
                    table.name() + " is a table of metadata, which has no data files. Read it through the library.");
        }
        String location = task.file().location();
        if (task.file().format() != FileFormat.PARQUET) {
            throw MillraceException.user("The table " + table.name() + " has data in "
                    + task.file().format() + " files, of which only Parquet is supported: '" + location + "'.");
        }
        if (task.file().keyMetadata() != null) {
            throw MillraceException.user("The table " + table.name() + " has encrypted data files, which is not"
                    + " supported: '" + location + "'.");
        }
        List<DeleteFile> positions = new ArrayList<>();
        List<EqualityDelete> equality = new ArrayList<>();
        for (DeleteFile delete : task.deletes()) {
            if (!PositionDeletes.isReadable(delete)) {
                throw MillraceException.user("The table " + table.name() + " has deletes in " + delete.format()
                        + " files, which is not supported: '" + delete.location()
                        + "'. Compact the table (rewrite_data_files), or have its deletes written as Parquet.");
            }
            if (delete.content() == FileContent.POSITION_DELETES) {
                positions.add(delete.copyWithoutStats());
            } else {
                equality.add(equality(delete));
            }
        }
        TableFile file = new TableFile(
                new StoredFile(StoragePaths.of(location), task.file().fileSizeInBytes()),
                0,
                Long.MAX_VALUE,
                names,
                ids,
                constants(task),
                defaults,
                positions.isEmpty() ? null : new PositionDeletes(location, positions));
        List<Long> offsets = task.file().splitOffsets();
        return new PlannedFile(
                file,
                task.file().fileSizeInBytes(),
                task.file().recordCount(),
                offsets == null ? List.of() : List.copyOf(offsets),
                equality);
    }

    /// The values of identity partitions: files of tables migrated from Hive lack those columns.
    private Map<String, Object> constants(FileScanTask task) {
        Map<String, Object> constants = new HashMap<>();
        PartitionUtil.constantsMap(task).forEach((id, value) -> {
            Types.NestedField field = schema.asStruct().field(id);
            if (field != null) {
                constants.put(field.name(), IcebergValues.toJava(field.type(), value));
            }
        });
        return constants;
    }

    private EqualityDelete equality(DeleteFile delete) {
        List<Types.NestedField> compared = new ArrayList<>();
        for (int id : delete.equalityFieldIds()) {
            Types.NestedField field = schema.asStruct().field(id);
            if (field == null || !field.type().isPrimitiveType()) {
                throw MillraceException.user("The table " + table.name() + " has deletes by values of the field "
                        + id + ", which is no column of it any more: '" + delete.location()
                        + "'. Compact the table (rewrite_data_files).");
            }
            compared.add(field);
        }
        Map<Integer, String> wanted =
                compared.stream().collect(Collectors.toMap(Types.NestedField::fieldId, Types.NestedField::name));
        TableFile file = new TableFile(
                new StoredFile(StoragePaths.of(delete.location()), delete.fileSizeInBytes()),
                0,
                Long.MAX_VALUE,
                wanted,
                ids,
                Map.of(),
                defaults,
                null);
        return new EqualityDelete(
                file,
                Schema.of(compared.stream()
                        .map(field -> columns.field(columns.indexOf(field.name())))
                        .toList()));
    }
}
