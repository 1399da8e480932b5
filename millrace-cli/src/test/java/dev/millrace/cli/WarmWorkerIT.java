package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Commands as processes, with a worker that is kept.
@Timeout(900)
class WarmWorkerIT {
    private static final Duration LIMIT = Duration.ofMinutes(4);

    /// Short, since names of sockets are limited.
    private Path folder;

    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory("mr");
        Assumptions.assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"), "has private folders");
        Files.writeString(folder.resolve("trips.csv"), "zone,fare\nHills,3\nStation,4\nHills,5\n");
    }

    @AfterEach
    void endWorkers() throws Exception {
        run("stop");
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(java.io.File::delete);
        }
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-D" + WarmSocket.FOLDER + "=" + folder.resolve("w"),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile());
        builder.environment().put(WarmClient.KEEP, "2");
        builder.environment().put("CI", "false");
        return builder.start();
    }

    private Ended run(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        try {
            assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(
                process.exitValue(),
                Files.readString(folder.resolve("out.txt"), StandardCharsets.UTF_8),
                Files.readString(folder.resolve("err.txt"), StandardCharsets.UTF_8));
    }

    private List<Path> sockets() {
        try (Stream<Path> files = Files.list(folder.resolve("w"))) {
            return files.toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(until);
            Thread.sleep(20);
        }
    }

    @Test
    void aLaterCommandIsRunByTheWorkerInTheSameFolderWithItsOutputAndExitCodeUntilItIsStopped() throws Exception {
        String query = "SELECT zone, sum(fare) AS fare FROM 'trips.csv' GROUP BY zone ORDER BY zone";
        Ended first = run("sql", query, "--format", "csv");
        await(() -> !sockets().isEmpty());
        Ended second = run("sql", query, "--format", "csv");

        assertThat(first.out).isEqualTo("zone,fare\nHills,8\nStation,4\n");
        assertThat(second.out).isEqualTo(first.out);
        assertThat(second.code).isZero();

        Ended wrong = run("sql", "SELECT gone FROM 'trips.csv'");
        assertThat(wrong.code).isEqualTo(1);
        assertThat(wrong.err).startsWith("millrace sql: ").contains("gone");
        assertThat(run("sql", "SELECT 1", "--rows", "many").code).isEqualTo(2);

        // It is the worker that answers.
        PrintStream usual = System.out;
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(seen, true, StandardCharsets.UTF_8));
            System.setProperty(WarmSocket.FOLDER, folder.resolve("w").toString());
            assertThat(WarmClient.run(sockets().getFirst(), new String[] {"sql", query, "--format", "csv"}))
                    .isZero();
        } finally {
            System.clearProperty(WarmSocket.FOLDER);
            System.setOut(usual);
        }
        assertThat(seen.toString(StandardCharsets.UTF_8)).isEqualTo(first.out);

        assertThat(run("stop").out.strip()).isEqualTo("One warm worker was ended.");
        assertThat(sockets()).isEmpty();
        assertThat(run("stop").out.strip()).isEqualTo("No warm worker runs.");
    }

    @Test
    void workersAreKeptOnlyWhereTheyAreWantedAndForCommandsThatTheyCanRun() {
        Map<String, String> wanted = Map.of(WarmClient.KEEP, "5");
        String[] query = {"sql", "SELECT 1"};
        assertThat(WarmClient.minutes(query, wanted)).isEqualTo(5);
        assertThat(WarmClient.minutes(query, Map.of())).isZero();
        assertThat(WarmClient.minutes(query, Map.of(WarmClient.KEEP, "soon"))).isZero();
        assertThat(WarmClient.minutes(query, Map.of(WarmClient.KEEP, "-1"))).isZero();
        assertThat(WarmClient.minutes(query, Map.of(WarmClient.KEEP, "5", "CI", "true")))
                .isZero();
        assertThat(WarmClient.minutes(new String[] {"sql", "SELECT 1", "--dashboard"}, wanted))
                .isZero();
        assertThat(WarmClient.minutes(new String[] {"run", "Job.java"}, wanted)).isZero();
        assertThat(WarmClient.minutes(new String[] {"sql", "SELECT 1", "--help"}, wanted))
                .isZero();
        assertThat(WarmClient.minutes(new String[] {"sql"}, wanted)).isZero();
        assertThat(WarmClient.minutes(new String[] {"sql", "--table", "a=b.csv"}, wanted))
                .isZero();
        assertThat(WarmClient.minutes(new String[] {}, wanted)).isZero();
    }
}
