package dev.millrace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/// The tables and queries of TPC-DS as DuckDB's extension makes them, and DuckDB's answers.
public final class Tpcds implements AutoCloseable {
    public static final List<String> TABLES = List.of(
            "call_center",
            "catalog_page",
            "catalog_returns",
            "catalog_sales",
            "customer",
            "customer_address",
            "customer_demographics",
            "date_dim",
            "household_demographics",
            "income_band",
            "inventory",
            "item",
            "promotion",
            "reason",
            "ship_mode",
            "store",
            "store_returns",
            "store_sales",
            "time_dim",
            "warehouse",
            "web_page",
            "web_returns",
            "web_sales",
            "web_site");
    public static final int QUERIES = 99;

    private final Path folder;
    private final QueryOracle oracle;

    private Tpcds(Path folder, QueryOracle oracle) {
        this.folder = folder;
        this.oracle = oracle;
    }

    /// Writes tables and queries into a folder.
    ///
    /// @param scale 1 is 1 GB of text; demographics, dates and times of day are the same at any
    public static Tpcds write(Path folder, String scale) throws SQLException {
        Python.environment("tpcds").run(Tpcds.class, "tpcds_tables.py", folder.toString(), scale);
        return new Tpcds(folder, QueryOracle.over(folder, TABLES));
    }

    public QueryOracle oracle() {
        return oracle;
    }

    /// The text of a query, which runs on DuckDB as it is.
    public String sql(int query) {
        try {
            return Files.readString(folder.resolve(query + ".sql"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws SQLException {
        oracle.close();
    }
}
