package dev.millrace.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.settings.ProgressSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What a query's author is told, and the names of its columns.
class SqlErrorsTest {
    private static Session session;
    private static Dataset trips;

    @BeforeAll
    static void open() {
        session = Session.builder().progress(ProgressSettings.OFF).open();
        trips = session.items(List.of(
                        Map.of("zone", 1, "fare", 2.5, "day", "mon"), Map.of("zone", 2, "fare", 4.0, "day", "tue")))
                .select("zone", "fare", "day");
    }

    @AfterAll
    static void close() {
        session.close();
    }

    private static void fails(String query, String sentence) {
        assertThatThrownBy(() -> session.sql(query, "trips", trips))
                .isInstanceOf(MillraceException.class)
                .hasMessage(sentence)
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.USER);
    }

    @Test
    void whatIsNotSqlIsToldWithItsPlace() {
        fails("SELECT zone FROM trips WHERE", "SQL, line 1, column 28: the query ends too early.");
        fails("SELECT zone\nFORM trips", "SQL, line 2, column 1: 'FORM' cannot stand here. Did you mean FROM?");
        fails("SELEC zone FROM trips", "SQL, line 1, column 1: 'SELEC' cannot stand here. Did you mean SELECT?");
        fails(
                "SELECT zone::varchar FROM trips WERE zone = 1",
                "SQL, line 1, column 33: 'WERE' cannot stand here. Did you mean WHERE?");
        fails("SELECT zone FROM trips LIMT 5", "SQL, line 1, column 24: 'LIMT' cannot stand here. Did you mean LIMIT?");
        fails(
                "SELECT zone FROM trips;\nSELECT 2;",
                "SQL, line 1, column 23: here a second query begins. Call sql once for each of them.");
        fails(
                "SELECT zone AS select FROM trips",
                "SQL, line 1, column 16: 'select' cannot stand here. It is a word of the language: to use it as a name,"
                        + " write \"select\".");
    }

    @Test
    void namesThatAreNotThereAreToldWithThoseThatAre() {
        fails(
                "SELECT length(day),\n  zne FROM trips",
                "SQL, line 2, column 3: Column 'zne' not found in any table. Did you mean 'zone'? There is trips with [zone, fare, day].");
        fails(
                "SELECT length(day), zne FROM trips",
                "SQL, line 1, column 21: Column 'zne' not found in any table. Did you mean 'zone'? There is trips with [zone, fare, day].");
        fails(
                "SELECT zone FROM rides",
                "SQL, line 1, column 18: Table 'rides' not found. There is trips with [zone, fare, day].");
        fails(
                "SELECT zone FROM trip",
                "SQL, line 1, column 18: Table 'trip' not found. Did you mean 'trips'? There is trips with [zone, fare,"
                        + " day].");
        fails(
                "SELECT zone // 2, t.fares FROM trips t",
                "SQL, line 1, column 21: Column 'fares' not found in table 't'. Did you mean 'fare'? There is trips with"
                        + " [zone, fare, day].");
        fails("SELECT uper(day) FROM trips", "SQL, line 1, column 8: there is no function uper. Did you mean upper?");
        fails("SELECT frobnicate(day) FROM trips", "SQL, line 1, column 8: there is no function frobnicate.");
        assertThatThrownBy(() -> session.sql("SELECT a FROM b"))
                .hasMessage("SQL, line 1, column 15: Table 'b' not found. There are no tables: give them after the"
                        + " query, as in sql(query, \"trips\", trips).");
    }

    @Test
    void whatIsNotSupportedIsToldInASentence() {
        fails(
                "WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r",
                "SQL: A recursive query is not supported. Write the steps as a loop of the program, each a query over"
                        + " the last one's.");
        fails(
                "SELECT zone, sum(DISTINCT fare) OVER (PARTITION BY zone) FROM trips",
                "SQL: SUM(DISTINCT ...) over a window is not supported. COUNT(DISTINCT ...) over whole partitions is;"
                        + " or group in a subquery and join.");
        fails(
                "SELECT list(DISTINCT zone) FROM trips",
                "SQL: LIST(DISTINCT ...) is not supported. Select the distinct rows in a subquery, SELECT DISTINCT ...,"
                        + " and aggregate those.");
        fails(
                "SELECT list(zone) FILTER (WHERE zone > 1) FROM trips",
                "SQL: LIST(...) FILTER is not supported. Choose the rows in a subquery with WHERE, and aggregate"
                        + " those.");
        fails(
                "SELECT sum(fare) OVER (ORDER BY zone NULLS FIRST RANGE 1 PRECEDING) FROM trips",
                "SQL: RANGE with a distance over several columns or with NULLS FIRST is not supported. Order by one"
                        + " column, nulls last.");
        fails(
                "SELECT sum(fare) OVER (ORDER BY zone ROWS 1 PRECEDING EXCLUDE CURRENT ROW) FROM trips",
                "SQL: EXCLUDE in a window is not supported. Compute with all rows and take away what the row itself"
                        + " adds.");
        fails(
                "SELECT zone, unnest(fare) FROM trips",
                "SQL, line 1, column 14: 'unnest' cannot stand here. It stands in FROM: SELECT u.x FROM t,"
                        + " UNNEST(t.list) AS u (x).");
        fails(
                "SELECT DISTINCT ON (zone) zone FROM trips",
                "SQL, line 1, column 17: 'ON' cannot stand here. For the first row of each key write QUALIFY"
                        + " row_number() OVER (PARTITION BY key ORDER BY x) = 1.");
        fails(
                "SELECT zone FROM trips WHERE day LIKE day",
                "SQL: LIKE with a pattern that is no constant, day, is not supported. Write this part with the verbs of"
                        + " a dataset.");
        fails(
                "SELECT zone, fare FROM trips GROUP BY zone",
                "SQL, line 1, column 14: Expression 'fare' is not being grouped.");
    }

    @Test
    void aLongChainOfOperatorsNeedsNoLargeStack() throws Exception {
        StringBuilder sum = new StringBuilder("SELECT zone");
        for (int i = 0; i < 4_000; i++) {
            sum.append(" + 1");
        }
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread small = new Thread(
                null,
                () -> {
                    try {
                        session.sql(sum + " FROM trips", "trips", trips);
                    } catch (RuntimeException | Error e) {
                        thrown.set(e);
                    }
                },
                "small stack",
                512 << 10);
        small.start();
        small.join(60_000);
        assertThat(thrown.get()).isNull();
        assertThat(small.isAlive()).isFalse();
    }

    @Test
    void aSubqueryOfSeveralRowsIsAnErrorWhenItRuns() {
        Dataset several = session.sql("SELECT zone, (SELECT fare FROM trips) FROM trips", "trips", trips);
        assertThatThrownBy(several::takeAll)
                .hasStackTraceContaining("SQL: a subquery that stands for one value gave 2 rows."
                        + " Add an aggregate such as max(...), or LIMIT 1.");
    }

    @Test
    void tablesAreNamesAndDatasetsInTurn() {
        assertThatThrownBy(() -> session.sql("SELECT 1", "trips"))
                .hasMessage("sql: after the query come names and their datasets in turn, as in sql(query, \"trips\","
                        + " trips, \"zones\", zones); argument 2 is 'trips' and is followed by nothing.");
        assertThatThrownBy(() -> session.sql("SELECT 1", "trips", trips, "trips", trips))
                .hasMessage("sql: there are two tables 'trips'.");
        try (Session other = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThatThrownBy(() -> other.sql("SELECT 1", "trips", trips))
                    .hasMessage("sql: the dataset of table 'trips' belongs to another session.");
        }
    }

    @Test
    void columnsHaveTheirAliasesElseWhatWasWritten() {
        String query = """
            SELECT zone, sum(fare) AS total, count(*), max( length(day) ), upper(
                min(day))
            FROM trips GROUP BY zone\
            """;
        assertThat(session.sql(query, "trips", trips).columns())
                .containsExactly("zone", "total", "count(*)", "max( length(day) )", "upper( min(day))");
        assertThat(session.sql("SELECT a.zone, b.zone FROM trips a JOIN trips b ON a.zone = b.zone", "trips", trips)
                        .columns())
                .containsExactly("zone", "zone_1");
        assertThat(session.sql("SELECT ZONE, day FROM Trips", "trips", trips).columns())
                .containsExactly("ZONE", "day");
    }
}
