package dev.millrace.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.settings.ProgressSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// In which order tables are read by joins, as the plan shows it: what statistics of files and conditions decide.
@Timeout(60)
class JoinOrderTest {
    private static final Map<String, String> FILES = new LinkedHashMap<>();

    static {
        FILES.put("sales", """
                SELECT i AS sale, i % 2000 AS customer, i % 300 AS item, i % 20 AS nation, i AS price, i % 7 AS kind
                FROM range(60000) r (i)""");
        FILES.put("customers", """
                SELECT i AS customer, i % 20 AS nation, i % 5 AS status, 'c' || i AS name FROM range(2000) r (i)""");
        FILES.put("agents", "SELECT i AS agent, i % 20 AS nation, i % 5 AS status FROM range(1500) r (i)");
        FILES.put("items", """
                SELECT i AS item, i % 30 AS brand, ['red', 'green', 'blue'][i % 3 + 1] AS colour
                FROM range(300) r (i)""");
        FILES.put("nations", "SELECT i AS nation, i % 4 AS region FROM range(20) r (i)");
    }

    private static final Pattern READ = Pattern.compile("Parquet\\([^ )]*/(\\w+)\\.parquet");

    private static Session session;
    private static final Map<String, Dataset> TABLES = new LinkedHashMap<>();

    @BeforeAll
    static void open(@TempDir Path folder) throws SQLException {
        session = Session.builder().progress(ProgressSettings.OFF).open();
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            for (Map.Entry<String, String> table : FILES.entrySet()) {
                Path file = folder.resolve(table.getKey() + ".parquet");
                statement.execute("COPY (" + table.getValue() + ") TO '" + file + "'");
                TABLES.put(table.getKey(), session.readParquet(file.toString()));
            }
        }
    }

    @AfterAll
    static void close() {
        session.close();
    }

    @Test
    void aJoinByFewValuesWaitsForTheOneByMany() {
        assertThat(shape("""
                        SELECT n.region, sum(price) FROM customers c, sales s, agents a, nations n
                        WHERE c.customer = s.customer AND c.nation = a.nation AND a.agent = s.item AND a.nation = n.nation
                            AND n.region = 1
                        GROUP BY n.region""")).isEqualTo("((sales, (customers, nations)), agents)");
    }

    @Test
    void whatIsWrittenFirstDoesNotMatter() {
        String from = " FROM %s, %s, %s WHERE s.customer = c.customer AND s.item = i.item AND i.brand = 3";
        String expected = "((sales, items), customers)";

        assertThat(shape("SELECT count(*)" + from.formatted("sales s", "customers c", "items i")))
                .isEqualTo(expected);
        assertThat(shape("SELECT count(*)" + from.formatted("customers c", "items i", "sales s")))
                .isEqualTo(expected);
    }

    @Test
    void equalitiesOutOfAnOrConnectOnlyWhatNothingElseDoes() {
        assertThat(shape("""
                        SELECT count(*) FROM customers c, agents a, sales s
                        WHERE s.customer = c.customer AND s.item = a.agent
                            AND ((c.name = 'c1' AND c.status = a.status AND s.price > 10)
                                OR (c.name = 'c2' AND c.status = a.status AND s.price > 20))""")).isEqualTo("((sales, customers), agents)");
        assertThat(shape("""
                        SELECT count(*) FROM customers c, agents a
                        WHERE (c.customer = a.agent AND c.status = 1) OR (c.customer = a.agent AND a.status = 2)""")).isEqualTo("(customers, agents)");
        assertThat(optimized("""
                        SELECT count(*) FROM customers c, agents a
                        WHERE (c.customer = a.agent AND c.status = 1) OR (c.customer = a.agent AND a.status = 2)""")).contains("Join[inner(customer = agent)]");
    }

    @Test
    void aConditionHoldsForAllColumnsThatAreEqual() {
        assertThat(optimized("""
                        SELECT count(*) FROM sales s, customers c, nations n
                        WHERE s.customer = c.customer AND c.customer = 7 AND s.nation = n.nation AND n.nation < 3"""))
                .contains("sales.parquet where (customer = 7) and (nation < 3)")
                .contains("customers.parquet where customer = 7")
                .contains("nations.parquet where nation < 3");
    }

    @Test
    void whatEveryAlternativeSaysOfATableFiltersItsRead() {
        assertThat(optimized("""
                        SELECT count(*) FROM sales s, items i
                        WHERE s.item = i.item AND ((i.colour = 'red' AND s.price > 10) OR (i.colour = 'blue' AND s.price > 90))"""))
                .contains("items.parquet where colour in ('red', 'blue')")
                .contains("sales.parquet where (price > 10) or (price > 90)");
    }

    @Test
    void aLeftJoinWaitsForTheJoinThatLeavesFewRows() {
        String query = """
                SELECT count(*), count(i.item) FROM sales s LEFT JOIN items i ON s.item = i.item AND i.brand < 4, customers c
                WHERE s.customer = c.customer AND c.name = 'c5'""";

        assertThat(shape(query)).isEqualTo("((sales, customers), items)");
        assertThat(session.sql(query, TABLES).takeAll().getFirst().value(0)).isEqualTo(30L);
    }

    @Test
    void tablesThatNothingConnectsAreMultipliedLast() {
        assertThat(shape("SELECT count(*) FROM nations n, items i, sales s WHERE s.item = i.item AND i.brand = 3"))
                .isEqualTo("((sales, items), nations)");
    }

    @Test
    void moreTablesThanAreTriedInAllOrdersAreJoinedByTheirKeys() {
        StringBuilder from = new StringBuilder("sales s");
        StringBuilder where = new StringBuilder("s.price >= 0");
        for (int i = 0; i <= JoinOrder.MAX_EXACT; i++) {
            from.append(", items i").append(i);
            where.append(" AND s.item = i").append(i).append(".item");
        }

        assertThat(session.sql("SELECT count(*) FROM " + from + " WHERE " + where, TABLES)
                        .takeAll()
                        .getFirst()
                        .value(0))
                .isEqualTo(60_000L);
    }

    private static String optimized(String query) {
        String plan = session.sql(query, TABLES).explain();
        return plan.substring(plan.indexOf("Optimized plan"), plan.indexOf("Physical plan"));
    }

    /// The tables as joins take them, "((sales, items), nations)".
    private static String shape(String query) {
        Deque<String> lines = new ArrayDeque<>(optimized(query)
                .lines()
                .filter(line -> line.contains("Join[") || line.contains("Read["))
                .toList());
        return shape(lines);
    }

    /// Of a join, what follows it is its left side, then its right one.
    private static String shape(Deque<String> lines) {
        String line = lines.removeFirst();
        if (line.contains("Join[")) {
            return "(" + shape(lines) + ", " + shape(lines) + ")";
        }
        Matcher read = READ.matcher(line);
        assertThat(read.find()).as(line).isTrue();
        return read.group(1);
    }
}
