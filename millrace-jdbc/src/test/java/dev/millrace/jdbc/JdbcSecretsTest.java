package dev.millrace.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.settings.ProgressSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JdbcSecretsTest {
    private static String all(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void aPlanThatReadsADatabaseIsNotSaved(@TempDir Path folder) {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset read = session.read(Jdbc.connect("jdbc:duckdb:").query("SELECT 1 AS a"));
            Throwable told =
                    catchThrowable(() -> read.savePlan(folder.resolve("a.plan").toString()));
            assertThat(told)
                    .hasMessageStartingWith("savePlan: the plan reads the database jdbc:duckdb")
                    .hasMessageContaining("which may hold a password, are written to no file.");
            assertThat(folder).isEmptyDirectory();
            assertThat(read.count()).isEqualTo(1);
        }
    }

    @Test
    void aDatabaseThatCannotBeReachedDoesNotShowItsPassword() {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            for (String url : List.of(
                    "jdbc:nothing://host/db?password=hunter2",
                    "jdbc:nothing:thin:scott/hunter2@host",
                    "jdbc:nothing:x;PASSWORD=hunter2")) {
                Throwable told = catchThrowable(
                        () -> session.read(Jdbc.connect(url).query("SELECT 1")).count());
                assertThat(told).hasMessageContaining("Add the database's JDBC driver to the class path");
                assertThat(all(told)).doesNotContain("hunter2");
                assertThat(Jdbc.connect(url).query("SELECT 1").name()).doesNotContain("hunter2");
                assertThat(Jdbc.connect(url).table("t").name()).doesNotContain("hunter2");
            }
        }
    }
}
