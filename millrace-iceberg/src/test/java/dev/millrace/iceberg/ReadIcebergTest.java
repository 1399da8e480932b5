package dev.millrace.iceberg;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.compute.ReadTasks;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.source.Source;
import dev.millrace.type.DataType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadIcebergTest {
    @TempDir
    static Path folder;

    private static IcebergTables tables;
    private static Session session;

    @BeforeAll
    static void make() {
        tables = IcebergTables.make(folder, "every_type", "partitioned", "evolved", "deleted");
        session = Session.open();
    }

    @AfterAll
    static void close() {
        session.close();
        tables.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"every_type", "by_zone", "by_day", "by_month", "by_date", "by_hour", "evolved", "deleted"})
    void tablesAreReadAsPyicebergReadsThem(String name) {
        assertThat(IcebergTables.rows(session.read(tables.table(name))))
                .isEqualTo(tables.expected(session, name))
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"by_zone", "evolved", "deleted"})
    void aTableIsReadInAsManyBlocksAsAskedFor(String name) {
        for (int blocks : new int[] {1, 4, 50}) {
            Dataset read = session.read(
                    tables.table(name), ReadTasks.defaults().blocks(blocks).concurrency(2));
            try (MaterializedDataset kept = read.materialize()) {
                assertThat(kept.numBlocks()).isEqualTo(blocks);
                assertThat(IcebergTables.rows(kept)).isEqualTo(tables.expected(session, name));
            }
        }
    }

    @Test
    void columnsOfAnEvolvedTableHaveItsPresentNamesAndTypes() {
        assertThat(tables.table("evolved").schema().orElseThrow().names())
                .containsExactly("d", "number", "b", "c", "s", "a");
        assertThat(tables.table("evolved").schema().orElseThrow().type("c")).isEqualTo(DataType.decimal(18, 2));
        List<String> some = IcebergTables.rows(session.read(tables.table("evolved"))
                .filter(col("number").lt(3).and(col("b").lt(100)))
                .select("number", "d", "a", "c"));
        assertThat(some)
                .containsExactly(
                        "{number=0 d=null a=null c=0.00 }",
                        "{number=1 d=null a=null c=0.01 }",
                        "{number=2 d=null a=null c=0.02 }");
    }

    @Test
    void aSnapshotIsReadWithItsSchemaByIdTimeAndTag() {
        long first = tables.told("evolved_first");
        IcebergTable evolved = tables.table("evolved");
        List<String> expected = tables.expected(session, "evolved_first");
        assertThat(IcebergTables.rows(session.read(evolved.snapshot(first)))).isEqualTo(expected);
        Instant then = Instant.ofEpochMilli(evolved.unwrap().snapshot(first).timestampMillis());
        assertThat(IcebergTables.rows(session.read(evolved.asOf(then)))).isEqualTo(expected);
        assertThat(IcebergTables.rows(session.read(tables.table("deleted").ref("before"))))
                .isEqualTo(tables.expected(session, "deleted_before"))
                .hasSize(300);
    }

    @Test
    void filtersLeaveOutFilesAndGiveTheRowsThatPass() {
        Map<Expression, String> filters = Map.of(
                col("zone").eq("zone 1"), "by_zone",
                col("zone").isNull(), "by_zone",
                col("time").ge(LocalDateTime.of(2024, 1, 3, 7, 0)), "by_day",
                col("day").eq(LocalDate.of(2024, 2, 1)), "by_month",
                col("day").isIn(LocalDate.of(2024, 2, 1), LocalDate.of(2024, 3, 1)), "by_date",
                col("time")
                                .lt(LocalDateTime.of(2024, 1, 1, 6, 0))
                                .or(col("zone").eq("zone 9")),
                        "by_hour",
                col("money").eq(new java.math.BigDecimal("0.03")), "by_date",
                col("zone").eq("zone 1").not(), "by_zone");
        filters.forEach((filter, name) -> {
            IcebergTable table = tables.table(name);
            Source filtered = table.filter(filter).orElseThrow().source();
            List<String> all =
                    IcebergTables.rows(session.read(table).materialize().filter(filter));
            assertThat(IcebergTables.rows(session.read(table).filter(filter)))
                    .as(filter.toString())
                    .isEqualTo(all)
                    .isNotEmpty();
            if (!filter.toString().startsWith("not")) {
                assertThat(filtered.inputFiles())
                        .as(filter.toString())
                        .hasSizeLessThan(table.inputFiles().size());
            }
        });
    }

    @Test
    void rowsAreCountedFromMetadata() {
        assertThat(tables.table("by_day").rows()).hasValue(200);
        assertThat(session.read(tables.table("by_day")).count()).isEqualTo(200);
        assertThat(session.read(tables.table("by_day")).limit(7).takeAll()).hasSize(7);
        assertThat(session.read(tables.table("by_day"))
                        .filter(col("number").lt(100))
                        .count())
                .isEqualTo(10);
    }

    @Test
    void anEmptyTableHasColumnsAndNoRows() {
        assertThat(session.read(tables.table("written")).takeAll()).isEmpty();
        assertThat(session.read(tables.table("written")).count()).isZero();
        assertThat(session.read(tables.table("written")).schema().names()).containsExactly("id", "text");
    }

    @Test
    void aSourceIsReadAfterItWasSerialised() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(tables.table("by_date"));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(IcebergTables.rows(session.read((Source) in.readObject())))
                    .isEqualTo(tables.expected(session, "by_date"));
        }
    }

    @Test
    void whatIsNotThereIsToldInASentence() {
        assertThatThrownBy(() -> tables.table("nothing"))
                .isInstanceOf(MillraceException.class)
                .hasMessage("There is no table 'db.nothing' in the Iceberg catalog 'test'.");
        assertThatThrownBy(() -> tables.table("deleted").ref("after"))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("has no branch or tag 'after'. It has [before, main].");
        assertThatThrownBy(() -> tables.table("deleted").snapshot(5))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("has no snapshot 5.");
        assertThatThrownBy(() -> tables.table("deleted").asOf(Instant.EPOCH))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("had no snapshot yet at 1970-01-01T00:00:00Z.");
        assertThatThrownBy(() -> Iceberg.catalog(Map.of("type", "hadoop", "warehouse", "/nowhere")))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("Catalogs of type hadoop and hive need Hadoop on the class path");
    }
}
