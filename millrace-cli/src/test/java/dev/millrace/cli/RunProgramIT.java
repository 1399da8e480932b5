package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.OpenFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `millrace run` as a process, as users start it.
class RunProgramIT {
    private static final String JOB = """
            import dev.millrace.Session;
            import dev.millrace.batch.Row;

            record Named(long id, String name) {}

            public class Job {
                public static void main(String[] arguments) {
                    String prefix = arguments[0];
                    try (Session session = Session.open()) {
                        System.out.println(session.range(3)
                                .map(row -> Row.of("name", new Names(prefix).of(row.getLong("id")).name()))
                                .takeAll());
                    }
                    System.exit(arguments.length);
                }
            }

            class Names {
                private final String prefix;

                Names(String prefix) {
                    this.prefix = prefix;
                }

                Named of(long id) {
                    return new Named(id, prefix + id);
                }
            }
            """;

    @TempDir
    Path folder;

    @BeforeAll
    static void theCompilerOpensTheJarsAgain() {
        OpenFiles.assume(1024, "the compiler in the process opens every jar of the class path a second time");
    }

    private record Ended(int code, String out, String err) {}

    private Ended run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run"));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out.txt");
        Path err = folder.resolve("err.txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    @Test
    void aSourceFileRunsWithItsArgumentsAndItsExitCode() throws Exception {
        Files.writeString(folder.resolve("Job.java"), JOB);
        Ended ended = run("Job.java", "trip-", "--input", "x");
        assertThat(ended.out).contains("trip-0", "trip-1", "trip-2");
        assertThat(ended.code).isEqualTo(3);
    }

    @Test
    void aSourceFileRunsUnchangedOnACluster() throws Exception {
        Files.writeString(
                folder.resolve("Job.java"),
                JOB.replace("prefix + id", "prefix + id + System.getProperty(\"millrace.cluster\", \"-there\")"));
        Ended ended = run("Job.java", "trip-", "--cluster", "local:2");
        // The workers are not told of the property.
        assertThat(ended.out).contains("trip-0-there", "trip-1-there", "trip-2-there");
        assertThat(ended.code).isEqualTo(1);
    }

    @Test
    void aJarRunsWithMillraceOnItsClassPath() throws Exception {
        Files.writeString(folder.resolve("Job.java"), JOB);
        java.util.spi.ToolProvider javac =
                java.util.spi.ToolProvider.findFirst("javac").orElseThrow();
        assertThat(javac.run(
                        System.out,
                        System.err,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.resolve("classes").toString(),
                        folder.resolve("Job.java").toString()))
                .isZero();
        java.util.spi.ToolProvider jar =
                java.util.spi.ToolProvider.findFirst("jar").orElseThrow();
        String file = folder.resolve("job.jar").toString();
        assertThat(jar.run(
                        System.out,
                        System.err,
                        "-cfe",
                        file,
                        "Job",
                        "-C",
                        folder.resolve("classes").toString(),
                        "."))
                .isZero();
        Ended ended = run("job.jar", "jar-");
        assertThat(ended.out).contains("jar-2");
        assertThat(ended.code).isEqualTo(1);
    }

    @Test
    void errorsOfTheCompilerAreShownAsItSaysThem() throws Exception {
        Files.writeString(folder.resolve("Job.java"), "class Job { void main() { int x = \"a\"; } }");
        Ended ended = run("Job.java");
        assertThat(ended.err)
                .contains("Job.java:1: error: incompatible types: String cannot be converted to int")
                .contains("error: compilation failed");
        assertThat(ended.code).isEqualTo(1);
    }

    @Test
    void whatIsNoProgramIsASentence() throws Exception {
        Files.writeString(folder.resolve("job.py"), "");
        assertThat(run("gone.java").err)
                .isEqualTo("millrace run: there is no file gone.java." + System.lineSeparator());
        Ended python = run("job.py");
        assertThat(python.err)
                .isEqualTo("millrace run: a program is a source file (.java) or a jar (.jar), not job.py."
                        + System.lineSeparator());
        assertThat(python.code).isEqualTo(2);
    }
}
