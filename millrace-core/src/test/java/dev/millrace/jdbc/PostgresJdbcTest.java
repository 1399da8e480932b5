package dev.millrace.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// A real PostgreSQL server, started for this class.
class PostgresJdbcTest extends JdbcContract {
    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Override
    protected Connections connections() {
        String url = server.getJdbcUrl("postgres", "postgres");
        return () -> DriverManager.getConnection(url);
    }
}
