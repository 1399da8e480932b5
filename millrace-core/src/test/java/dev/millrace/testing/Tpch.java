package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.Dataset;
import dev.millrace.batch.Row;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// The tables and queries of TPC-H, and DuckDB's answers.
///
/// Tables have the rows of the benchmark's own generator. Queries have the parameters that it validates answers with.
public final class Tpch implements AutoCloseable {
    public static final List<String> TABLES =
            List.of("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier");
    public static final int QUERIES = 22;

    /// Few rows that make every query find some.
    private static final String SCALE = "0.05";
    /// Of two floats, relative to the greater.
    private static final double TOLERANCE = 1e-9;

    private final Path folder;
    private final Connection duck;

    private Tpch(Path folder, Connection duck) {
        this.folder = folder;
        this.duck = duck;
    }

    /// Writes the tables into a folder.
    public static Tpch write(Path folder) throws SQLException {
        Python.environment("tpch").run(Tpch.class, "tpch_tables.py", folder.toString(), SCALE);
        Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = duck.createStatement()) {
            for (String table : TABLES) {
                statement.execute("CREATE VIEW " + table + " AS FROM '" + folder.resolve(table + ".parquet") + "'");
            }
        }
        return new Tpch(folder, duck);
    }

    /// The Parquet file of a table.
    public String file(String table) {
        return folder.resolve(table + ".parquet").toString();
    }

    /// The text of a query, which runs on DuckDB as it is.
    public static String sql(int query) {
        try (InputStream in = Tpch.class.getResourceAsStream("tpch/" + query + ".sql")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether a dataset has the rows that DuckDB gives for the query, in the same order, under the same names:
    /// decimals and integers exactly.
    public void check(int query, Dataset dataset) throws SQLException {
        List<Row> rows = dataset.takeAll();
        List<String> names = new ArrayList<>();
        List<List<Object>> expected = answer(query, names);
        assertThat(expected).as("DuckDB's rows of query %d", query).isNotEmpty();
        assertThat(dataset.columns()).as("columns of query %d", query).isEqualTo(names);
        assertThat(rows).as("rows of query %d", query).hasSameSizeAs(expected);
        for (int i = 0; i < rows.size(); i++) {
            for (int j = 0; j < names.size(); j++) {
                same(
                        "query " + query + ", row " + i + ", " + names.get(j),
                        rows.get(i).value(j),
                        expected.get(i).get(j));
            }
        }
    }

    private List<List<Object>> answer(int query, List<String> names) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(sql(query))) {
            int columns = result.getMetaData().getColumnCount();
            for (int i = 1; i <= columns; i++) {
                names.add(result.getMetaData().getColumnName(i));
            }
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    Object value = result.getObject(i);
                    row.add(value instanceof Date date ? date.toLocalDate() : value);
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private static void same(String which, Object value, Object expected) {
        if (value instanceof Double || expected instanceof Double) {
            double there = ((Number) value).doubleValue();
            double wanted = ((Number) expected).doubleValue();
            assertThat(there).as(which).isCloseTo(wanted, within(TOLERANCE * Math.max(1, Math.abs(wanted))));
        } else if (value instanceof Number && expected instanceof Number) {
            assertThat(new BigDecimal(value.toString()))
                    .as(which)
                    .isEqualByComparingTo(new BigDecimal(expected.toString()));
        } else {
            assertThat(value).as(which).isEqualTo(expected);
        }
    }

    @Override
    public void close() throws SQLException {
        duck.close();
    }
}
