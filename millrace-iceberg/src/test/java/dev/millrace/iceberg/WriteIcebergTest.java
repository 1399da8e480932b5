package dev.millrace.iceberg;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static dev.millrace.expression.Expressions.when;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.sink.WriteSummary;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteIcebergTest {
    @TempDir
    static Path folder;

    private static IcebergTables tables;
    private static Session session;

    @BeforeAll
    static void make() {
        tables = IcebergTables.make(folder, "every_type", "partitioned", "deleted");
        session = Session.open();
    }

    @AfterAll
    static void close() {
        session.close();
        tables.close();
    }

    @Test
    void rowsAppendedToPartitionedTablesAreReadByPyiceberg() throws Exception {
        List<String> names = List.of("by_zone", "by_day", "by_month", "by_date", "by_hour");
        for (String name : names) {
            WriteSummary summary = session.read(tables.table(name))
                    .write(tables.table(name + "_written").append());
            assertThat(summary.rows()).isEqualTo(200);
        }
        tables.askPython(names.stream().map(name -> name + "_written").toArray(String[]::new));
        for (String name : names) {
            List<String> rows = tables.expected(session, name);
            assertThat(tables.expected(session, name + "_written")).as(name).isEqualTo(rows);
            assertThat(IcebergTables.rows(session.read(tables.table(name + "_written"))))
                    .isEqualTo(rows);
            // The library puts each file into the same partition as pyiceberg did.
            assertThat(partitions(name + "_written"))
                    .as(name)
                    .isEqualTo(partitions(name))
                    .isNotEmpty();
        }
    }

    private static List<String> partitions(String name) throws Exception {
        Table table = tables.table(name).unwrap();
        try (CloseableIterable<FileScanTask> files = table.newScan().planFiles()) {
            Set<String> partitions = new TreeSet<>();
            files.forEach(file -> partitions.add(table.spec().partitionToPath(file.partition())));
            return List.copyOf(partitions);
        }
    }

    @Test
    void everyTypeIsWrittenWithMetricsThatPruneFiles() throws Exception {
        List<Types.NestedField> writable = tables.table("every_type").unwrap().schema().columns().stream()
                .filter(field -> !List.of("fixed", "uuid").contains(field.name()))
                .toList();
        tables.catalog().unwrap().createTable(TableIdentifier.parse("db.typed"), new Schema(writable));
        String[] names = writable.stream().map(Types.NestedField::name).toArray(String[]::new);
        session.read(tables.table("every_type"))
                .select(names)
                .write(tables.table("typed").append());
        List<String> rows =
                IcebergTables.rows(session.read(tables.table("every_type")).select(names));
        assertThat(tables.readByPython(session, "typed")).isEqualTo(rows).hasSize(120);
        assertThat(IcebergTables.rows(session.read(tables.table("typed")))).isEqualTo(rows);

        Table table = tables.table("typed").unwrap();
        long seen = 0;
        try (CloseableIterable<FileScanTask> files =
                table.newScan().includeColumnStats().planFiles()) {
            for (FileScanTask task : files) {
                DataFile file = task.file();
                seen += file.recordCount();
                for (String name : List.of(
                        "id", "small", "big", "real", "double", "day", "clock", "local", "instant", "text", "bytes",
                        "money", "large", "huge", "flag")) {
                    Types.NestedField field = table.schema().findField(name);
                    int id = field.fieldId();
                    assertThat(file.valueCounts()).as(name).containsEntry(id, file.recordCount());
                    assertThat(file.nullValueCounts()).as(name).containsKey(id);
                    Comparable<Object> low =
                            bound(field, requireNonNull(file.lowerBounds().get(id)));
                    assertThat(low.compareTo(bound(
                                    field, requireNonNull(file.upperBounds().get(id)))))
                            .as(name)
                            .isNotPositive();
                }
            }
        }
        assertThat(seen).isEqualTo(120);
        assertThat(IcebergTables.rows(session.read(tables.table("typed"))
                        .filter(col("money").eq(new BigDecimal("-0.11")))
                        .select("id")))
                .containsExactly("{id=29 }");
        assertThat(tables.table("typed")
                        .filter(col("money").gt(new BigDecimal("5000.00")))
                        .orElseThrow()
                        .source()
                        .inputFiles())
                .isEmpty();
    }

    @SuppressWarnings("unchecked") // the values of one type compare with each other
    private static Comparable<Object> bound(Types.NestedField field, ByteBuffer bytes) {
        Object value = Conversions.fromByteBuffer(field.type(), bytes);
        return (Comparable<Object>) (value instanceof CharSequence text ? text.toString() : value);
    }

    @Test
    void overwriteReplacesAllRowsInOneSnapshot() {
        session.range(10)
                .select(col("id"), lit("old").as("text"))
                .write(tables.table("written").append());
        session.range(3)
                .select(col("id"), lit("new").as("text"))
                .write(tables.table("written").overwrite());
        assertThat(tables.readByPython(session, "written"))
                .containsExactly("{id=0 text=new }", "{id=1 text=new }", "{id=2 text=new }");
        // A column that is missing is null.
        session.range(1).write(tables.table("written").append());
        assertThat(IcebergTables.rows(session.read(tables.table("written")))).contains("{id=0 text=null }");
    }

    @Test
    void aWriteThatFailsLeavesTheTableAndItsFolderAsTheyWere() {
        List<Path> files = tables.files("deleted");
        IcebergTable table = tables.table("deleted");
        assertThatThrownBy(() -> session.range(1000, 8)
                        .map(row -> {
                            if (row.getLong("id") == 900) {
                                throw new IllegalStateException("boom");
                            }
                            return row;
                        })
                        .write(table.append()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("boom");
        assertThat(tables.files("deleted")).isEqualTo(files);
        assertThat(IcebergTables.rows(session.read(tables.table("deleted"))))
                .isEqualTo(tables.expected(session, "deleted"));
    }

    @Test
    void twoWritersFromTheSameSnapshotBothGetTheirRowsIn() {
        tables.catalog()
                .unwrap()
                .createTable(
                        TableIdentifier.parse("db.shared"),
                        new Schema(Types.NestedField.optional(1, "id", Types.LongType.get())));
        IcebergTable one = tables.table("shared");
        IcebergTable other = tables.table("shared");
        session.range(10).write(one.append());
        session.range(5).write(other.append());
        assertThat(session.read(tables.table("shared")).count()).isEqualTo(15);
    }

    @Test
    void rowsThatDoNotFitAreRefusedBeforeAnythingRuns() {
        IcebergTable table = tables.table("written");
        assertThatThrownBy(() ->
                        session.range(3).select(col("id"), lit(1).as("more")).write(table.append()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("has no column 'more'. It has [id, text].");
        assertThatThrownBy(() -> session.range(3).select(lit(1.5).as("id")).write(table.append()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("The column 'id' is float64, and int64 in the table");
        assertThatThrownBy(() -> session.range(3)
                        .select(lit("x").as("text"))
                        .write(tables.table("every_type").append()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("its column 'fixed' is of type fixed[4], which is only read.");
    }

    @Test
    void nullsInARequiredColumnAreADataError() {
        tables.catalog()
                .unwrap()
                .createTable(
                        TableIdentifier.parse("db.strict"),
                        new Schema(Types.NestedField.required(1, "id", Types.LongType.get())));
        IcebergTable table = tables.table("strict");
        assertThatThrownBy(() -> session.range(3)
                        .select(when(col("id").ne(1L))
                                .then(col("id"))
                                .otherwise(lit(null))
                                .as("id"))
                        .write(table.append()))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("The column 'id' is required in the table");
        assertThatThrownBy(() -> session.range(3).select(col("id").as("other")).write(table.append()))
                .isInstanceOf(MillraceException.class);
        session.range(3).write(table.append());
        assertThat(tables.readByPython(session, "strict")).hasSize(3);
    }
}
