package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.error.MillraceException;
import dev.millrace.function.RowFunction;
import dev.millrace.internal.cluster.worker.WorkerMain;
import dev.millrace.internal.cluster.worker.WorkerOptions;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Writes over worker processes: committed once, whatever happens to the workers.
class ClusterWritesIT {
    private static final int ROWS = 300_000;

    @TempDir
    Path folder;

    private static Session session(String address) {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .limits(ResourceLimits.DEFAULT.withMemory(900L << 20))
                .cluster(address)
                .open();
    }

    /// Does something when it comes to a row, but only once in all processes: a file says that it was done.
    private record Once(String file, long id, Act act) implements RowFunction {
        interface Act extends Serializable {
            void run() throws Exception;
        }

        @Override
        public Row apply(Row row) throws Exception {
            if (row.getLong("id") == id && isFirst()) {
                act.run();
            }
            return row;
        }

        private boolean isFirst() throws IOException {
            try {
                Files.createFile(Path.of(file));
                return true;
            } catch (FileAlreadyExistsException e) {
                return false;
            }
        }
    }

    private static void killThisProcess() throws Exception {
        new ProcessBuilder("kill", "-9", String.valueOf(ProcessHandle.current().pid()))
                .start()
                .waitFor();
        Thread.sleep(30_000);
    }

    private void assertEachRowOnce(Session session, Path out) throws IOException {
        Row all = session.readArrow(out.toString())
                .aggregate(Aggregates.count(), Aggregates.sum("id"), Aggregates.countDistinct("id"))
                .takeAll()
                .getFirst();
        assertThat(all.value(0)).isEqualTo((long) ROWS);
        assertThat(all.value(1)).isEqualTo((long) ROWS * (ROWS - 1) / 2);
        assertThat(all.value(2)).isEqualTo((long) ROWS);
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .contains("_SUCCESS")
                    .doesNotContain("_temporary");
        }
    }

    @Test
    @Timeout(180)
    void aWorkerThatIsKilledWhileItWritesLeavesNoRowTwice() throws Exception {
        Path out = folder.resolve("out");
        String done = folder.resolve("killed").toString();
        try (Session session = session("local:3")) {
            session.range(ROWS, 12)
                    .map(new Once(done, 130_000, ClusterWritesIT::killThisProcess))
                    .writeArrow(out.toString());
            assertThat(Path.of(done)).exists();
            assertEachRowOnce(session, out);
        }
    }

    @Test
    @Timeout(180)
    void aCheckpointIsResumedOnAnotherCluster() throws Exception {
        Path out = folder.resolve("out");
        String checkpoint = folder.resolve("checkpoint").toString();
        String done = folder.resolve("failed").toString();
        RowFunction failing = new Once(done, 270_000, () -> {
            throw new IllegalStateException("not yet");
        });
        try (Session first = session("local:2")) {
            Dataset rows = first.range(ROWS, 12)
                    .map(failing, Compute.tasks().name("failing"))
                    .checkpoint(checkpoint);
            assertThatThrownBy(() -> rows.writeArrow(out.toString()))
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContaining("not yet");
        }
        try (Session second = session("local:3")) {
            second.range(ROWS, 12)
                    .map(failing, Compute.tasks().name("failing"))
                    .checkpoint(checkpoint)
                    .writeArrow(out.toString());
            assertEachRowOnce(second, out);
        }
    }

    /// A worker in a mount namespace of its own, where a folder is an empty one.
    private Process workerThatDoesNotSee(Path hidden, String token) throws IOException {
        String command = "mount -t tmpfs none '" + hidden + "' && exec \"$@\"";
        ProcessBuilder builder = new ProcessBuilder(
                        "unshare",
                        "-m",
                        "sh",
                        "-c",
                        command,
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx300m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WorkerMain.class.getName(),
                        "--stdin",
                        "--memory",
                        "100m")
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(WorkerOptions.TOKEN, token);
        return builder.start();
    }

    @Test
    @Timeout(120)
    void pathsThatAWorkerDoesNotSeeAreRefusedBeforeAnythingRuns() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path token = Files.writeString(folder.resolve("token"), "the token of hidden files");
        try (Session embedded = Session.builder().progress(ProgressSettings.OFF).open()) {
            embedded.range(10).writeArrow(data.resolve("in").toString());
        }
        Process worker = workerThatDoesNotSee(data, Files.readString(token));
        try {
            String line = worker.inputReader(StandardCharsets.UTF_8).readLine();
            assumeTrue(line != null, "this machine has no namespaces for mounts");
            String[] words = line.split(" ", -1);
            try (Session session = Session.builder()
                    .progress(ProgressSettings.OFF)
                    .cluster(ClusterSettings.DEFAULT.withTokenFile(token.toString()))
                    .cluster("millrace://" + words[1] + ":" + words[2])
                    .open()) {
                Dataset read = session.readArrow(data.resolve("in").toString());
                assertThatThrownBy(read::takeAll)
                        .hasMessageMatching(
                                "Arrow\\(.*\\): worker-1@\\S+ does not see this file as this program does: .*"
                                        + " The workers of a cluster read and write files themselves: .*");
                Dataset rows = session.range(10);
                assertThatThrownBy(() -> rows.writeArrow(data.resolve("out").toString()))
                        .hasMessageContaining(
                                " does not see the folder that this program made for it, or may not write there: ");
                rows.writeArrow(folder.resolve("seen").toString());
                assertThat(session.readArrow(folder.resolve("seen").toString()).count())
                        .isEqualTo(10);
            }
        } finally {
            worker.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
    }
}
