package dev.millrace.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

class DuckDbJdbcTest extends JdbcContract {
    @TempDir
    static Path folder;

    private static String url;
    /// Keeps the database open between the tests.
    private static Connection first;

    @BeforeAll
    static void start() throws SQLException {
        url = "jdbc:duckdb:" + folder.resolve("test.db");
        first = DriverManager.getConnection(url);
    }

    @AfterAll
    static void stop() throws SQLException {
        first.close();
    }

    @Override
    protected Connections connections() {
        String address = url;
        return () -> DriverManager.getConnection(address);
    }
}
