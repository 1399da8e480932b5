package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files of one dataset whose schemas differ; DuckDB writes them.
class EvolvedSchemasTest {
    @TempDir
    Path folder;

    private Session session;

    @BeforeEach
    void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
    }

    @AfterEach
    void close() {
        session.close();
    }

    private Path write(String name, String query) {
        return DuckDbFiles.write(folder.resolve(name), query);
    }

    private Dataset read() {
        return session.readParquet(folder.toString());
    }

    @Test
    void columnsAreTheUnionOfTheFilesAndMissingOnesAreNull() {
        write("1.parquet", "SELECT 1::BIGINT AS a, 'x' AS b, {'p': 1, 'q': 2} AS s");
        write("2.parquet", "SELECT {'q': 4, 'r': 'new'} AS s, true AS c, 2::INTEGER AS a");
        assertThat(DuckDbFiles.rows(read()))
                .asString()
                .isEqualTo("[{a=1, b=x, s={p=1, q=2, r=null}, c=null},"
                        + " {a=2, b=null, s={p=null, q=4, r=new}, c=true}]");
        assertThat(DuckDbFiles.rows(read().filter(col("c")).select("b", "a")))
                .asString()
                .isEqualTo("[{b=null, a=2}]");
        assertThat(read().filter(col("c").isNull()).count()).isEqualTo(1);
        assertThat(read().count()).isEqualTo(2);
    }

    @Test
    void typesAreAsWideAsTheFilesNeed() {
        write("1.parquet", """
                SELECT 1::INTEGER AS i, 1::SMALLINT AS d, 1.5::FLOAT AS f, 1.25::DECIMAL(5,2) AS m, DATE '2024-01-01' AS t,
                    'x' AS s, [1::INTEGER] AS l, TIMESTAMP_MS '2024-01-01 00:00:01' AS u, NULL::INTEGER AS n""");
        write("2.parquet", """
                SELECT 5000000000::BIGINT AS i, 0.1::DOUBLE AS d, 0.1::DOUBLE AS f, 1.23456::DECIMAL(12,5) AS m,
                    TIMESTAMP '2024-01-01 10:00:00' AS t, 'y' AS s, [5000000000::BIGINT] AS l,
                    TIMESTAMP_NS '2024-01-01 00:00:01.000000001' AS u, 7::BIGINT AS n""");
        assertThat(read().schema().toString())
                .isEqualTo("i: int64, d: float64, f: float64, m: decimal(12, 5), t: timestamp[us], s: utf8,"
                        + " l: list<int64>, u: timestamp[ns], n: int64");
        assertThat(DuckDbFiles.rows(read()))
                .asString()
                .isEqualTo(
                        "[{i=1, d=1.0, f=1.5, m=1.25000, t=2024-01-01T00:00, s=x, l=[1], u=2024-01-01T00:00:01, n=null},"
                                + " {i=5000000000, d=0.1, f=0.1, m=1.23456, t=2024-01-01T10:00, s=y, l=[5000000000],"
                                + " u=2024-01-01T00:00:01.000000001, n=7}]");
        for (Dataset one : List.of(
                read().filter(col("i").lt(9L)),
                read().filter(col("d").gt(0.5)),
                read().filter(col("f").ge(1.5)),
                read().filter(col("n").isNull()),
                read().filter(col("m").eq(new java.math.BigDecimal("1.25"))),
                read().filter(col("i").lt(9L).and(col("s").eq("x"))))) {
            assertThat(DuckDbFiles.rows(one.select("s"))).asString().isEqualTo("[{s=x}]");
        }
    }

    @Test
    void typesThatClashNameBothFilesAtTheCall() {
        Path first = write("1.parquet", "SELECT 1 AS a");
        write("2.parquet", "SELECT 2 AS a");
        Path third = write("3.parquet", "SELECT 'x' AS a");
        assertThatThrownBy(this::read)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                .hasMessage("readParquet: the column 'a' is int32 in '" + first + "' and utf8 in '" + third
                        + "', which have no common type. Read the two apart and cast one of them.");
    }

    @Test
    void filesThatWereNotLookedAtAreHeldAgainstTheOthersWhenTheyAreRead() {
        IntStream.range(0, 40).forEach(i -> write("%02d.parquet".formatted(i), "SELECT " + i + " AS a, {'p': 1} AS s"));
        Path odd = write("08.parquet", "SELECT 'x' AS a");
        assertThatThrownBy(() -> read().takeAll())
                .hasMessageContaining(
                        "the column 'a' is int32 in '" + folder.resolve("00.parquet") + "' and utf8 in '" + odd)
                .hasMessageContaining("no common type");
        write("08.parquet", "SELECT 1::BIGINT AS a");
        assertThatThrownBy(() -> read().takeAll())
                .hasMessageContaining("and int64 in '" + odd + "', which is wider")
                .hasMessageContaining("Name that file first");
        assertThat(session.readParquet(odd.toString(), folder.toString()).takeAll())
                .hasSize(41);
        assertThat(session.readParquet(folder.toString(), ReadParquet.defaults().unionOfAllFiles())
                        .takeAll())
                .hasSize(40);
        write("08.parquet", "SELECT 8 AS a, {'p': NULL::INTEGER} AS s");
        assertThat(DuckDbFiles.rows(read()).get(8)).asString().isEqualTo("{a=8, s={p=null}}");
    }

    @Test
    void aFileThatBringsAColumnNobodyKnewIsAnErrorAndNeverALoss() {
        IntStream.range(0, 40).forEach(i -> write("%02d.parquet".formatted(i), "SELECT " + i + " AS a, {'p': 1} AS s"));
        Path odd = write("08.parquet", "SELECT 8::SMALLINT AS a, {'p': 7} AS s, 'new' AS b");
        String remedy = "', which none of the files looked at for the schema has (their columns are [a, s]). Take the"
                + " union of all files by unionOfAllFiles() in the options of the read, or name the columns to read"
                + " there by columns(...).";
        for (Dataset some : List.of(read(), read().select("a"), read().filter(col("a").eq(8)))) {
            assertThatThrownBy(some::takeAll)
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.DATA))
                    .hasMessageContaining("readParquet: '" + odd + "' has the column 'b" + remedy);
        }
        assertThat(DuckDbFiles.rows(session.readParquet(
                                folder.toString(), ReadParquet.defaults().unionOfAllFiles()))
                        .get(8))
                .asString()
                .isEqualTo("{a=8, s={p=7}, b=new}");
        assertThat(DuckDbFiles.rows(session.readParquet(folder.toString(), ReadParquet.columns("s", "a")))
                        .get(8))
                .asString()
                .isEqualTo("{s={p=7}, a=8}");

        write("08.parquet", "SELECT 8 AS a, {'q': 1} AS s");
        assertThatThrownBy(() -> read().takeAll())
                .hasMessageContaining("readParquet: '" + odd + "' has the column 's.q" + remedy);
        assertThat(DuckDbFiles.rows(session.readParquet(
                                folder.toString(), ReadParquet.defaults().unionOfAllFiles()))
                        .get(8))
                .asString()
                .isEqualTo("{a=8, s={p=null, q=1}}");
    }
}
