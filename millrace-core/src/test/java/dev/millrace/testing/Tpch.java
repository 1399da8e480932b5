package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
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

    private final QueryOracle oracle;

    private Tpch(QueryOracle oracle) {
        this.oracle = oracle;
    }

    /// Writes the tables into a folder.
    public static Tpch write(Path folder) throws SQLException {
        return write(folder, SCALE);
    }

    public static Tpch write(Path folder, String scale) throws SQLException {
        Python.environment("tpch").run(Tpch.class, "tpch_tables.py", folder.toString(), scale);
        return new Tpch(QueryOracle.over(folder, TABLES));
    }

    public QueryOracle oracle() {
        return oracle;
    }

    /// The Parquet file of a table.
    public String file(String table) {
        return oracle.file(table);
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
        QueryOracle.Answer expected = oracle.answer(sql(query));
        assertThat(expected.rows()).as("DuckDB's rows of query %d", query).isNotEmpty();
        assertThat(dataset.columns()).as("columns of query %d", query).isEqualTo(expected.columns());
        QueryOracle.check("query " + query, dataset.takeAll(), expected);
    }

    @Override
    public void close() throws SQLException {
        oracle.close();
    }
}
