package dev.millrace.jdbc;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.Dataset;
import dev.millrace.error.MillraceException;
import dev.millrace.sink.WriteSummary;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A real PostgreSQL server, started for this class.
class PostgresJdbcTest extends JdbcContract {
    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws IOException {
        // Not the machine's locale, which need not be installed.
        server = EmbeddedPostgres.builder().setLocaleConfig("locale", "C").start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private long rowsOfNumbers() {
        return session.read(Jdbc.connect(connections()).query("SELECT * FROM numbers"))
                .count();
    }

    private Dataset ids() {
        return session.range(1_000, 5).select(col("id").as("n"));
    }

    @Test
    void aCommitWhoseAnswerIsLostIsLookedUp() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.getPort())) {
            String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres?user=postgres&password=s3cret";
            proxy.cut = CuttingProxy.Cut.BEFORE_ANSWER;
            WriteSummary summary = ids().write(Jdbc.connect(url).table("numbers"));
            assertThat(proxy.cuts).hasValue(1);
            assertThat(summary.rows()).isEqualTo(1_000);
            assertThat(rowsOfNumbers()).isEqualTo(1_000);
            proxy.cut = CuttingProxy.Cut.BEFORE_COMMIT;
            assertThatThrownBy(
                            () -> ids().write(Jdbc.connect(url).table("numbers").overwrite()))
                    .hasMessageStartingWith("The rows could not be moved to 'numbers'; it is as it was: ")
                    .hasMessageNotContaining("s3cret");
            assertThat(proxy.cuts).hasValue(2);
            assertThat(rowsOfNumbers()).isEqualTo(1_000);
        }
    }

    @Test
    void aDirectWriteWhoseAnswerIsLostIsAnErrorAndNoRowComesTwice() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.getPort())) {
            String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres?user=postgres";
            proxy.direct = true;
            proxy.cut = CuttingProxy.Cut.BEFORE_ANSWER;
            assertThatThrownBy(() -> session.range(100, 1)
                            .select(col("id").as("n"))
                            .write(Jdbc.connect(url).table("numbers").direct()))
                    .hasMessageContaining("Nobody knows whether 100 rows were inserted into 'numbers'")
                    .hasMessageContaining("A write without direct() finds out by itself.");
            assertThat(proxy.cuts).hasValue(1);
            assertThat(rowsOfNumbers()).isEqualTo(100);
        }
    }

    @Test
    void aCommitThatCannotBeLookedUpIsUnknownAndTheErrorSaysHowToLook() throws Exception {
        try (CuttingProxy proxy = new CuttingProxy(server.getPort())) {
            String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres?user=postgres";
            proxy.cut = CuttingProxy.Cut.BEFORE_ANSWER_FOR_GOOD;
            Throwable told = catchThrowable(() -> ids().write(Jdbc.connect(url).table("numbers")));
            assertThat(told)
                    .isInstanceOf(MillraceException.class)
                    .hasMessageStartingWith(
                            "Nobody knows whether the write to 'numbers' was committed: the database did"
                                    + " not answer to the commit (")
                    .hasMessageContaining("the 1000 rows are in 'numbers', otherwise they are not.");
            Matcher query = Pattern.compile("if (SELECT .*?) gives 0").matcher(told.getMessage());
            Matcher drop = Pattern.compile("Then (drop the table [^,]*),").matcher(told.getMessage());
            assertThat(query.find() && drop.find()).isTrue();
            assertThat(rowsOfNumbers()).isEqualTo(1_000);
            try (Connection connection = connections().open();
                    Statement statement = connection.createStatement();
                    ResultSet count = statement.executeQuery(query.group(1))) {
                assertThat(count.next()).isTrue();
                assertThat(count.getLong(1)).isZero();
            }
            execute(drop.group(1).replace("the table", "TABLE"));
        }
    }

    @Override
    protected Connections connections() {
        String url = server.getJdbcUrl("postgres", "postgres");
        return () -> DriverManager.getConnection(url);
    }
}
