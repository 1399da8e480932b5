package dev.millrace.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.internal.text.QueryToken;
import dev.millrace.settings.ProgressSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A query's text before it is parsed: its tokens, what of it becomes something else, and places of it.
class QueryTextTest {
    private static String rewritten(String query) {
        QueryText text = new QueryText(query);
        QueryDialect.rewrite(text);
        return text.toString();
    }

    @Test
    void tokensLeaveOutCommentsAndKnowTextsNamesAndNumbers() {
        assertThat(QueryToken.of("a -- b // 'c\n+ \"d\"\"e\" /* 'f */ 'it''s' 1.5e-3 x_1//2->>'k'").stream()
                        .map(QueryToken::text))
                .containsExactly("a", "+", "\"d\"\"e\"", "'it''s'", "1.5e-3", "x_1", "//", "2", "->>", "'k'");
    }

    @Test
    void operatorsOfDuckDbBecomeThoseOfTheGrammar() {
        assertThat(rewritten("SELECT a // b")).isEqualTo("SELECT a *\"//\"/ b");
        assertThat(rewritten("SELECT 'a // b;', x -- // ;\n;")).isEqualTo("SELECT 'a // b;', x -- // ;\n");
        assertThat(rewritten("SELECT j->'k'")).isEqualTo("SELECT j||\"->\"||'k'");
        assertThat(rewritten("SELECT f(a, 1)::int, t.b::decimal(10, 2)::varchar"))
                .isEqualTo("SELECT CAST(f(a, 1) AS int), CAST(CAST(t.b AS decimal(10, 2)) AS varchar)");
        assertThat(rewritten("SELECT x AS value, CAST(y AS date)")).isEqualTo("SELECT x AS \"value\", CAST(y AS date)");
        assertThat(rewritten("SELECT trim(s), trim(BOTH 'x' FROM s)"))
                .isEqualTo("SELECT \"trim\"(s), trim(BOTH 'x' FROM s)");
        assertThat(rewritten("SELECT [1, 2][1], a[1], count()")).isEqualTo("SELECT ARRAY[1, 2][1], a[1], count(*)");
    }

    @Test
    void placesAreThoseOfWhatWasWritten() {
        QueryText text = new QueryText("SELECT a // b,\r\n  c::int AS value");
        QueryDialect.rewrite(text);
        int value = text.toString().indexOf("\"value\"") + 1;
        assertThat(text.place(value)).isEqualTo("line 2, column 13");
        int begin = text.toString().indexOf("CAST(") - text.toString().indexOf('\n');
        int end = text.toString().indexOf(')') - text.toString().indexOf('\n');
        assertThat(text.written(new SqlParserPos(2, begin, 2, end))).isEqualTo("c::int");
        assertThat(text.place(99, 99)).isEqualTo("line 2, column 18");
    }

    @Test
    void textsBehindFromAreFilesOnlyWhereTheyCanBe() {
        String query =
                "SELECT extract(day FROM '2024-01-31'), 'a.csv' -- FROM 'b.csv'\nFROM  'c.csv' JOIN \"FROM\" ON 1 = 1";
        assertThat(QueryFiles.paths(query)).containsExactly("c.csv");
        QueryText text = new QueryText(query);
        QueryFiles.quote(text);
        assertThat(text.toString()).isEqualTo(query.replace("'c.csv'", "\"c.csv\""));
        assertThat(QueryFiles.paths("SELECT * FROM 'trips/a")).isEmpty();
    }

    @Test
    void aQueryInTheLibraryReadsFilesAsTheCommandDoes(@TempDir Path folder) throws Exception {
        Path trips = folder.resolve("trips.csv");
        Files.writeString(trips, "zone,fare\n1,2.5\n2,4.0\n");
        Files.writeString(folder.resolve("zones.tsv"), "id\tname\n1\tMill\n");
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThat(session.sql("SELECT sum(fare) AS total FROM '" + trips + "' WHERE zone > 0;")
                            .takeAll())
                    .extracting(row -> row.value(0))
                    .containsExactly(6.5);
            assertThat(session.sql(
                                    "SELECT z.name, t.n FROM t JOIN '" + folder + "/zones.tsv' z ON z.id = t.zone",
                                    "t",
                                    session.sql("SELECT zone, count(*) AS n FROM '" + trips + "' GROUP BY zone"))
                            .takeAll())
                    .extracting(row -> List.of(row.value(0), row.value(1)))
                    .containsExactly(List.of("Mill", 1L));
            assertThat(session.readTable(folder.resolve("zones.tsv").toString()).columns())
                    .containsExactly("id", "name");
        }
    }
}
