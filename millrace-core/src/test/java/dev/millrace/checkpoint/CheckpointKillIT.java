package dev.millrace.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Checkpoint;
import dev.millrace.Session;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A job that is killed with signal 9 at random moments and started again each time writes every row once.
@Timeout(120)
class CheckpointKillIT {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"tasks, 8", "actors, 6"})
    void aKilledJobWritesEveryRowOnce(String kind, int kills) throws Exception {
        long seed = Seeds.seed();
        System.out.println("CheckpointKillIT " + kind + ": seed " + seed);
        Random random = new Random(seed);
        Path out = folder.resolve("out");
        Path memory = folder.resolve("memory");
        boolean overwrites = kind.equals("actors");
        if (overwrites) {
            try (Session session = session()) {
                session.range(3).writeArrow(out.toString());
            }
        }
        int interrupted = 0;
        long done = 0;
        StringBuilder progress = new StringBuilder("splits done after each kill:");
        for (int i = 0; i < kills; i++) {
            Process job = start(kind, out, memory);
            // Every fourth may die before it has committed anything; the others are in the middle of it.
            if (i % 4 != 3) {
                awaitCommit(job, memory.resolve("commits"));
            }
            if (!job.waitFor(random.nextInt(200), TimeUnit.MILLISECONDS)) {
                job.destroyForcibly().waitFor();
                interrupted++;
            }
            if (Files.exists(memory.resolve("manifest"))) {
                Checkpoint.Status status = Checkpoint.status(memory.toString());
                assertThat(status.done()).isGreaterThanOrEqualTo(done);
                done = status.done();
                progress.append(' ').append(done);
                if (overwrites && !status.finished()) {
                    try (Session session = session()) {
                        assertThat(session.readArrow(out.toString()).count())
                                .as("rows that are seen before the end")
                                .isEqualTo(3);
                    }
                }
            }
        }
        System.out.println("CheckpointKillIT " + kind + ": " + progress);
        assertThat(interrupted).as("kills that met the job at work").isGreaterThanOrEqualTo(kills / 2);
        assertThat(done).as("splits that killed jobs had committed").isGreaterThan(kills);
        Process last = start(kind, out, memory);
        assertThat(last.inputReader().lines().toList()).containsExactly("begins", "ends");
        assertThat(last.waitFor()).isZero();
        assertComplete(out, memory);
        Process again = start(kind, out, memory);
        assertThat(again.inputReader().lines().toList()).containsExactly("begins", "ends");
        assertComplete(out, memory);
    }

    private static Session session() {
        return Session.builder().progress(ProgressSettings.OFF).open();
    }

    private static void awaitCommit(Process job, Path log) throws Exception {
        long before = Files.exists(log) ? Files.size(log) : 0;
        while (job.isAlive() && (!Files.exists(log) || Files.size(log) <= before)) {
            Thread.sleep(1);
        }
    }

    private static void assertComplete(Path out, Path memory) throws IOException {
        long rows = (long) CheckpointJob.SPLITS * CheckpointJob.ROWS_PER_SPLIT;
        Checkpoint.Status status = Checkpoint.status(memory.toString());
        assertThat(status.finished()).isTrue();
        assertThat(status.done()).isEqualTo(CheckpointJob.SPLITS);
        assertThat(status.rows()).isEqualTo(rows);
        try (Session session = session()) {
            assertThat(session.readArrow(out.toString()).takeAll().stream().map(row -> row.getLong("id")))
                    .containsExactlyElementsOf(LongStream.range(0, rows).boxed().toList());
        }
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.filter(file -> !file.endsWith("_SUCCESS")))
                    .hasSize(3 * CheckpointJob.SPLITS)
                    .noneMatch(file -> file.endsWith("_temporary"));
        }
    }

    private static Process start(String kind, Path out, Path memory) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CheckpointJob.class.getName(),
                        kind,
                        out.toString(),
                        memory.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
