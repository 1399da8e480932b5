package dev.millrace.iceberg;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that came into a table without having been written for it: no field ids, no partition columns.
class AddedFilesTest {
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.optional(1, "zone", Types.StringType.get()),
            Types.NestedField.optional(2, "day", Types.DateType.get()),
            Types.NestedField.optional(3, "id", Types.LongType.get()));

    @TempDir
    private Path folder;

    private IcebergCatalog catalog;
    private Session session;

    @BeforeEach
    void open() {
        session = Session.open();
        catalog = Iceberg.catalog(Map.of(
                "type", "jdbc", "uri", "jdbc:sqlite:" + folder.resolve("c.db"), "warehouse", folder + "/warehouse"));
        ((SupportsNamespaces) catalog.unwrap()).createNamespace(Namespace.of("db"));
    }

    @AfterEach
    void close() {
        session.close();
        catalog.close();
    }

    private Table create(String name, Map<String, String> properties) {
        PartitionSpec spec = PartitionSpec.builderFor(SCHEMA)
                .identity("zone")
                .identity("day")
                .build();
        return catalog.unwrap()
                .buildTable(TableIdentifier.of("db", name), SCHEMA)
                .withPartitionSpec(spec)
                .withProperties(properties)
                .create();
    }

    private void add(Table table, String partition, int rows) throws Exception {
        add(table, partition, session.range(rows, 1), rows);
    }

    private void add(Table table, String partition, Dataset data, int rows) throws Exception {
        Path files = folder.resolve("files-" + partition.hashCode() + table.name());
        data.writeParquet(files.toString());
        Path file;
        try (var all = Files.list(files)) {
            file = all.filter(one -> one.toString().endsWith(".parquet"))
                    .findFirst()
                    .orElseThrow();
        }
        table.newAppend()
                .appendFile(DataFiles.builder(table.spec())
                        .withPath(file.toString())
                        .withFormat(FileFormat.PARQUET)
                        .withPartitionPath(partition)
                        .withFileSizeInBytes(Files.size(file))
                        .withRecordCount(rows)
                        .build())
                .commit();
    }

    @Test
    void aFileWhoseTypeIsAnotherThanTheTablesNamesBoth() throws Exception {
        Table table = create(
                "wrong", Map.of("schema.name-mapping.default", NameMappingParser.toJson(MappingUtil.create(SCHEMA))));
        add(table, "zone=a/day=2024-01-05", session.range(2, 1).map(row -> Row.of("id", "x")), 2);
        assertThatThrownBy(() -> session.read(catalog.table("db.wrong")).takeAll())
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("The column 'id' is int64 in the table ")
                .hasMessageContaining("db.wrong and utf8 in its file '")
                .hasMessageNotContaining("readParquet")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.DATA);
    }

    @Test
    void columnsThatAFileLacksComeFromItsPartitionAndIdsFromTheMappingOfNames() throws Exception {
        Table table = create(
                "added", Map.of("schema.name-mapping.default", NameMappingParser.toJson(MappingUtil.create(SCHEMA))));
        add(table, "zone=a/day=2024-01-05", 2);
        add(table, "zone=b/day=2024-01-06", 1);
        table.updateSchema().renameColumn("id", "number").commit();

        IcebergTable read = catalog.table("db.added");
        assertThat(IcebergTables.rows(session.read(read)))
                .containsExactly(
                        "{zone=a day=2024-01-05 number=0 }",
                        "{zone=a day=2024-01-05 number=1 }",
                        "{zone=b day=2024-01-06 number=0 }");
        assertThat(IcebergTables.rows(session.read(read)
                        .filter(col("zone").eq("a").and(col("number").ge(1)))
                        .select("day")))
                .containsExactly("{day=2024-01-05 }");
        assertThat(IcebergTables.rows(session.read(read)
                        .filter(col("zone").length().plus(col("number")).eq(2))
                        .select("number", "zone")))
                .containsExactly("{number=1 zone=a }");
    }

    @Test
    void filesWithoutIdsInATableWithoutAMappingAreADataError() throws Exception {
        Table table = create("unmapped", Map.of());
        add(table, "zone=a/day=2024-01-05", 2);
        assertThatThrownBy(() -> session.read(catalog.table("db.unmapped")).takeAll())
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("its columns have no field ids, and the table has no mapping of names to ids");
    }

    @Test
    void rowsFromBeforeAColumnAndRowsWithoutItHaveItsDefaults() {
        catalog.unwrap()
                .buildTable(TableIdentifier.of("db", "defaults"), new Schema(SCHEMA.findField("id")))
                .withProperty("format-version", "3")
                .create();
        session.range(2).write(catalog.table("db.defaults").append());
        catalog.table("db.defaults")
                .unwrap()
                .updateSchema()
                .addColumn("rate", Types.DoubleType.get(), null, Literal.of(1.5))
                .commit();
        session.range(2, 3).write(catalog.table("db.defaults").append());
        // The library's default for new rows is the same one.
        assertThat(IcebergTables.rows(session.read(catalog.table("db.defaults"))))
                .containsExactly("{id=0 rate=1.5 }", "{id=0 rate=1.5 }", "{id=1 rate=1.5 }", "{id=1 rate=1.5 }");
        assertThat(session.read(catalog.table("db.defaults"))
                        .filter(col("rate").eq(1.5))
                        .count())
                .isEqualTo(4);
    }
}
