package dev.millrace.iceberg;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.write.ParquetFileFormat;
import dev.millrace.internal.parquet.write.ParquetFileWriter;
import dev.millrace.memory.Allocator;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeletedRowsTest {
    private static final int PATH_ID = 2147483546;
    private static final int POSITION_ID = 2147483545;

    @TempDir
    static Path folder;

    private static IcebergTables tables;
    private static Session session;

    @BeforeAll
    static void make() {
        tables = IcebergTables.make(folder, "partitioned", "plain");
        session = Session.open();
    }

    @AfterAll
    static void close() {
        session.close();
        tables.close();
    }

    private static List<String> dataFiles(Table table) throws Exception {
        try (CloseableIterable<FileScanTask> files = table.newScan().planFiles()) {
            List<String> locations = new ArrayList<>();
            files.forEach(task -> locations.add(task.file().location()));
            Collections.sort(locations);
            return locations;
        }
    }

    private static Path write(String name, Map<List<String>, Integer> ids, List<String> names, Column... columns)
            throws Exception {
        Path path = folder.resolve(name);
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < columns.length; i++) {
            fields.add(new Field(names.get(i), columns[i].type()));
        }
        Schema schema = Schema.of(fields);
        ParquetFileFormat format = new ParquetFileFormat(WriteParquet.defaults().rowGroupRows(100), ids);
        try (Allocator allocator = Allocator.root("test", 1 << 30);
                FileChannel out = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                Block block = Block.sharing(schema, List.of(columns), columns[0].length())) {
            ParquetFileWriter writer = format.open(out, schema, allocator);
            writer.write(block);
            writer.close();
        }
        return path;
    }

    private static DeleteFile positions(String name, List<String> paths, long[] positions) throws Exception {
        Allocator allocator = Allocator.collected("test");
        Path file = write(
                name,
                Map.of(List.of("file_path"), PATH_ID, List.of("pos"), POSITION_ID),
                List.of("file_path", "pos"),
                Columns.ofStrings(allocator, paths.toArray(String[]::new)),
                Columns.ofLongs(allocator, positions));
        return FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
                .ofPositionDeletes()
                .withPath(file.toString())
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(Files.size(file))
                .withRecordCount(positions.length)
                .build();
    }

    /// Reads the splits after they were sent through bytes, as to a worker without a catalog, and counts what they
    /// hold.
    private static long rowsOfSentSplits(String name) throws Exception {
        long rows = 0;
        Iterator<Split> splits = tables.table(name).splits(new SplitRequest(4, false, 1, 1 << 30));
        try (Allocator allocator = Allocator.root("worker", 1 << 30)) {
            while (splits.hasNext()) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                    out.writeObject(splits.next());
                }
                try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
                        SplitReader reader = ((Split) in.readObject()).open(new ReadContext(allocator, 4096))) {
                    for (Block block = reader.next(); block != null; block = reader.next()) {
                        rows += block.rows();
                        block.close();
                    }
                }
            }
            assertThat(allocator.heldBytes()).isZero();
        }
        return rows;
    }

    @Test
    void rowsDeletedByPositionAreLeftOutAsInPyiceberg() throws Exception {
        Table table = tables.table("positions").unwrap();
        List<String> files = dataFiles(table);
        long[] some = LongStream.range(0, 1000).filter(i -> i % 3 == 0).toArray();
        RowDelta delta = table.newRowDelta();
        delta.addDeletes(positions("d1.parquet", Collections.nCopies(some.length, files.get(0)), some));
        delta.addDeletes(
                positions("d2.parquet", List.of(files.get(0), files.get(1), files.get(1)), new long[] {1, 0, 999}));
        delta.commit();

        List<String> rows = IcebergTables.rows(session.read(tables.table("positions")));
        assertThat(rows).isEqualTo(tables.readByPython(session, "positions")).hasSize(2000 - some.length - 3);
        assertThat(rowsOfSentSplits("positions")).isEqualTo(rows.size());
        assertThat(tables.table("positions").rows()).isEmpty();
        assertThat(session.read(tables.table("positions")).count()).isEqualTo(rows.size());
        assertThat(session.read(tables.table("positions")).limit(900).takeAll()).hasSize(900);
        // With a filter on one column, on another one than is read, and without columns.
        assertThat(IcebergTables.rows(session.read(tables.table("positions"))
                        .filter(col("text").eq("row 9"))))
                .isEqualTo(
                        rows.stream().filter(row -> row.contains("text=row 9 ")).toList());
        assertThat(session.read(tables.table("positions"))
                        .filter(col("id").plus(0L).lt(1000).and(col("text").eq("row 0")))
                        .select("id")
                        .count())
                .isEqualTo(rows.stream()
                        .filter(row -> row.contains("text=row 0 ")
                                && Long.parseLong(row.replaceAll("\\{id=(\\d+) .*", "$1")) < 1000)
                        .count());
    }

    @Test
    void deletionVectorsLeaveOutTheirRows() throws Exception {
        tables.catalog()
                .unwrap()
                .buildTable(
                        TableIdentifier.parse("db.vectors"),
                        new org.apache.iceberg.Schema(Types.NestedField.optional(1, "id", Types.LongType.get())))
                .withProperty("format-version", "3")
                .create();
        session.range(3000, 1).write(tables.table("vectors").append());
        Table table = tables.table("vectors").unwrap();
        String file = dataFiles(table).getFirst();
        OutputFileFactory output = OutputFileFactory.builderFor(table, 1, 1)
                .format(FileFormat.PUFFIN)
                .build();
        BaseDVFileWriter writer = new BaseDVFileWriter(output, _ -> null);
        for (long row = 0; row < 3000; row += 2) {
            writer.delete(file, row, table.spec(), null);
        }
        writer.close();
        RowDelta delta = table.newRowDelta();
        writer.result().deleteFiles().forEach(delta::addDeletes);
        delta.commit();

        assertThat(session.read(tables.table("vectors")).takeAll().stream().map(row -> row.getLong("id")))
                .containsExactlyElementsOf(
                        LongStream.range(0, 1500).mapToObj(i -> 2 * i + 1).toList());
        assertThat(rowsOfSentSplits("vectors")).isEqualTo(1500);
        assertThat(IcebergTables.rows(session.read(tables.table("vectors"))))
                .isEqualTo(tables.readByPython(session, "vectors"));
    }

    @Test
    void rowsDeletedByTheirValuesAreLeftOut() throws Exception {
        Table table = tables.table("equalities").unwrap();
        Allocator allocator = Allocator.collected("test");
        Path file = write(
                "e1.parquet",
                Map.of(List.of("t"), 2),
                List.of("t"),
                Columns.ofStrings(allocator, "row 3", "row 7", null));
        DeleteFile delete = FileMetadata.deleteFileBuilder(table.spec())
                .ofEqualityDeletes(2)
                .withPath(file.toString())
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(Files.size(file))
                .withRecordCount(3)
                .build();
        table.newRowDelta().addDeletes(delete).commit();
        // Rows that come later are not concerned.
        session.range(1)
                .select(col("id"), lit("row 3").as("text"))
                .write(tables.table("equalities").append());

        IcebergTable now = tables.table("equalities");
        assertThat(session.read(now).count()).isEqualTo(1601);
        assertThat(rowsOfSentSplits("equalities")).isEqualTo(1601);
        assertThat(session.read(now).filter(col("text").eq("row 7")).count()).isZero();
        assertThat(IcebergTables.rows(
                        session.read(now).select("id").filter(col("id").between(2, 4))))
                .containsExactly("{id=2 }", "{id=4 }");
        assertThat(session.read(now).limit(5).takeAll()).hasSize(5);
    }

    @Test
    void whatCannotBeReadIsRefusedBeforeAnythingRuns() throws Exception {
        Table table = tables.table("by_zone").unwrap();
        table.newAppend()
                .appendFile(DataFiles.builder(table.spec())
                        .withPath("file:///nowhere/data.orc")
                        .withFormat(FileFormat.ORC)
                        .withPartitionPath("zone=x")
                        .withFileSizeInBytes(10)
                        .withRecordCount(1)
                        .build())
                .commit();
        assertThatThrownBy(() -> session.read(tables.table("by_zone")).count())
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining(
                        "has data in ORC files, of which only Parquet is supported: 'file:///nowhere/data.orc'.");
        assertThat(session.read(tables.table("by_zone"))
                        .filter(col("zone").eq("zone 1"))
                        .count())
                .as("a read that does not need the file")
                .isPositive();
    }
}
