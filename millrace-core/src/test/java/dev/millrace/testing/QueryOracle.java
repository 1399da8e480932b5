package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.Dataset;
import dev.millrace.batch.Row;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// DuckDB over the Parquet files of a folder, and the comparison of its answers with those of datasets.
public final class QueryOracle implements AutoCloseable {
    /// Of two floats, relative to the greater.
    private static final double TOLERANCE = 1e-9;

    private final Path folder;
    private final Connection duck;

    /// An answer, rows in their order.
    public record Answer(List<String> columns, List<List<Object>> rows) {}

    private QueryOracle(Path folder, Connection duck) {
        this.folder = folder;
        this.duck = duck;
    }

    /// @param tables each has a file of its name
    public static QueryOracle over(Path folder, List<String> tables) throws SQLException {
        QueryOracle oracle = new QueryOracle(folder, DriverManager.getConnection("jdbc:duckdb:"));
        try (Statement statement = oracle.duck.createStatement()) {
            for (String table : tables) {
                statement.execute("CREATE VIEW " + table + " AS FROM '" + oracle.file(table) + "'");
            }
        }
        return oracle;
    }

    /// The Parquet file of a table.
    public String file(String table) {
        return folder.resolve(table + ".parquet").toString();
    }

    public Answer answer(String sql) throws SQLException {
        Answer answer = new Answer(new ArrayList<>(), new ArrayList<>());
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            for (int i = 1; i <= columns; i++) {
                answer.columns().add(result.getMetaData().getColumnName(i));
            }
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    Object value = result.getObject(i);
                    row.add(value instanceof Date date ? date.toLocalDate() : value);
                }
                answer.rows().add(row);
            }
        }
        return answer;
    }

    /// Whether rows are those of an answer, in the same order: decimals and integers exactly.
    public static void check(String query, List<Row> rows, Answer expected) {
        assertThat(rows).as("rows of %s", query).hasSameSizeAs(expected.rows());
        for (int i = 0; i < rows.size(); i++) {
            for (int j = 0; j < expected.columns().size(); j++) {
                same(
                        query + ", row " + i + ", " + expected.columns().get(j),
                        rows.get(i).value(j),
                        expected.rows().get(i).get(j));
            }
        }
    }

    /// Whether a dataset has the rows that DuckDB gives for the query; returns how many.
    public int check(String query, String sql, Dataset dataset) throws SQLException {
        Answer expected = answer(sql);
        check(query, dataset.takeAll(), expected);
        return expected.rows().size();
    }

    private static void same(String which, Object value, Object expected) {
        if (value instanceof Number there && expected instanceof Number wanted) {
            if (value instanceof Double || expected instanceof Double) {
                double bound = TOLERANCE * Math.max(1, Math.abs(wanted.doubleValue()));
                assertThat(there.doubleValue()).as(which).isCloseTo(wanted.doubleValue(), within(bound));
            } else {
                assertThat(new BigDecimal(there.toString()))
                        .as(which)
                        .isEqualByComparingTo(new BigDecimal(wanted.toString()));
            }
        } else {
            assertThat(value).as(which).isEqualTo(expected);
        }
    }

    @Override
    public void close() throws SQLException {
        duck.close();
    }
}
