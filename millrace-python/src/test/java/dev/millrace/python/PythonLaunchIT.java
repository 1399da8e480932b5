package dev.millrace.python;

import static dev.millrace.expression.Expressions.sql;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pipelines that a Python program starts; what it checks stands in `reading.py`.
class PythonLaunchIT {
    @TempDir
    Path folder;

    @Test
    void aPythonProgramStartsPipelinesAndTheyEndWithIt() throws Exception {
        Files.writeString(folder.resolve("Pipeline.java"), """
                import dev.millrace.Session;
                import dev.millrace.python.PythonFeed;

                void main(String[] arguments) {
                    try (Session session = Session.open()) {
                        PythonFeed.of(session.range(Long.parseLong(arguments[0]), 4)).with("few", session.range(2)).serve();
                    }
                }
                """);
        try (Session session = Session.open()) {
            session.range(3)
                    .withColumn("twice", sql("id * 2"))
                    .savePlan(folder.resolve("saved.plan").toString());
        }
        Path script = folder.resolve("reading.py");
        try (InputStream in = PythonLaunchIT.class.getResourceAsStream("reading.py")) {
            Files.write(script, Objects.requireNonNull(in, "it is a resource").readAllBytes());
        }
        Path log = folder.resolve("log");
        Process python = new ProcessBuilder(
                        PythonFiles.interpreter(),
                        script.toString(),
                        PythonFeedTest.source().toString(),
                        "started",
                        System.getProperty("java.class.path"),
                        folder.toString(),
                        System.getProperty("java.home"))
                .redirectError(log.toFile())
                .start();
        try {
            String printed = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            assertThat(python.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(printed).describedAs(said(log)).matches("\\d+");
            PythonFaultsTest.awaitEnd(Long.parseLong(printed));
        } finally {
            python.destroyForcibly();
        }
    }

    private static String said(Path log) throws IOException {
        return Files.readString(log);
    }
}
