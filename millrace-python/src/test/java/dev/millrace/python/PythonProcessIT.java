package dev.millrace.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes and shared memory are gone afterwards, however a run ends; and workers on a cluster.
class PythonProcessIT {
    @TempDir
    Path folder;

    private PythonUdf udf(String source, String name) {
        return new PythonFiles(folder).udf(source, name);
    }

    @Test
    void nothingIsMappedAfterTheRun() throws IOException {
        PythonUdf same = udf(
                "import os\ndef f(batch):\n    return {'id': batch['id'] + 0, 'pid': [os.getpid()] * len(batch['id'])}\n",
                "f");
        List<Row> rows;
        try (Session session = Session.open()) {
            rows = session.range(100_000, 4)
                    .mapBatches(same, Compute.actors(1).batchSize(10_000))
                    .takeAll(100_000);
        }
        assertThat(rows).hasSize(100_000);
        PythonFaultsTest.awaitEnd(rows.getFirst().getLong("pid"));
        if (Files.exists(Path.of("/proc/self/maps"))) {
            assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain("memfd:millrace");
        }
    }

    @Test
    void everythingEndsWithTheJavaProcessEvenInACallThatHoldsTheInterpreterLock() throws Exception {
        Path pids = folder.resolve("pids");
        Files.createDirectory(pids);
        Path model = folder.resolve("hang.py");
        Files.writeString(model, """
                import os, re, time
                def f(batch, folder):
                    child = os.fork()
                    if child == 0:
                        time.sleep(600)
                    for pid in (child, os.getpid()):
                        open(os.path.join(folder, str(pid)), "w").close()
                    re.match("(a+)+$", "a" * 60 + "b")
                """);
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx200m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HangingJob.class.getName(),
                        model.toString(),
                        pids.toString(),
                        PythonFiles.interpreter())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(new File(folder.toFile(), "log")))
                .start();
        try {
            List<Long> started = await(java, pids);
            java.destroyForcibly();
            assertThat(java.waitFor(30, TimeUnit.SECONDS)).isTrue();
            started.forEach(PythonFaultsTest::awaitEnd);
        } finally {
            java.destroyForcibly();
        }
    }

    /// Waits until both processes have named themselves.
    private List<Long> await(Process java, Path pids) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (System.nanoTime() < end) {
            try (Stream<Path> files = Files.list(pids)) {
                List<Long> found = files.map(
                                file -> Long.parseLong(file.getFileName().toString()))
                        .toList();
                if (found.size() == 2) {
                    return found;
                }
            }
            if (java.waitFor(50, TimeUnit.MILLISECONDS)) {
                break;
            }
        }
        throw new AssertionError("the job did not begin: " + Files.readString(folder.resolve("log")));
    }

    /// A program that calls a Python function which never returns.
    static final class HangingJob {
        private HangingJob() {}

        public static void main(String[] arguments) {
            try (Session session = Session.open()) {
                session.range(1)
                        .mapBatches(
                                PythonUdf.of(arguments[0], "f")
                                        .args(arguments[1])
                                        .python(arguments[2]),
                                Compute.actors(1))
                        .takeAll();
            }
        }
    }

    @Test
    void workersOfAClusterStartPythonOnTheirNodesAndReplaceWhatCrashes() {
        PythonUdf once = udf("""
                import os
                def f(batch, mark):
                    if batch["id"][0] >= 500 and not os.path.exists(mark):
                        open(mark, "w").close()
                        os.kill(os.getpid(), 9)
                    return {"id": batch["id"], "parent": [os.getppid()] * len(batch["id"])}
                """, "f").args(folder.resolve("mark").toString());
        try (Session session = Session.connect("local:2")) {
            List<Row> rows = session.range(1000, 4)
                    .mapBatches(once, Compute.actors(2).batchSize(100))
                    .takeAll(1000);
            assertThat(rows).hasSize(1000);
            assertThat(rows.get(999).getLong("id")).isEqualTo(999);
            assertThat(rows)
                    .allSatisfy(row -> assertThat(row.getLong("parent"))
                            .isNotEqualTo(ProcessHandle.current().pid()));
        }
    }
}
