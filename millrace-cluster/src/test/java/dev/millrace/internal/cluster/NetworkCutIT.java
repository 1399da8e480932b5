package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Networks that drop packets without a word, between a driver and a worker, and between two workers. Both scenarios
/// run at once: most of their time is waiting for a silence of five seconds.
@Timeout(180)
class NetworkCutIT {
    @TempDir
    static Path folder;

    private static Process driver;
    private static Process workers;

    @BeforeAll
    static void begin() throws IOException, InterruptedException {
        assumeTrue(hasNamespaces(), "no network namespaces with a bridge can be made here (root and iproute2 needed)");
        driver = scenario("driver");
        workers = scenario("workers");
    }

    private static boolean hasNamespaces() throws InterruptedException {
        String probe =
                "ip link add br0 type bridge && ip link add v0 type veth peer name v1 && ip link set v0 master br0"
                        + " && ip link set dev v0 type bridge_slave isolated on";
        try {
            return new ProcessBuilder("unshare", "-n", "sh", "-c", probe)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static Process scenario(String name) throws IOException {
        List<String> command = new ArrayList<>(List.of("unshare", "-n"));
        command.addAll(WorkerProcess.java(
                CutNetwork.class,
                name,
                Files.createDirectory(folder.resolve(name)).toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start();
    }

    @AfterAll
    static void end() throws InterruptedException {
        for (Process each : new Process[] {driver, workers}) {
            if (each != null) {
                each.descendants().forEach(ProcessHandle::destroyForcibly);
                each.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
            }
        }
    }

    private static void requireRight(Process scenario, String name) throws Exception {
        boolean ended = scenario.waitFor(150, TimeUnit.SECONDS);
        String log = Files.readString(folder.resolve(name + ".log"));
        assertThat(ended).as(log).isTrue();
        assertThat(scenario.exitValue()).as(log).isZero();
    }

    @Test
    void aWorkerThatTheDriverDoesNotHearIsLostFreesItsMemoryAndComesBack() throws Exception {
        requireRight(driver, "driver");
    }

    @Test
    void rowsOfAWorkerThatAnotherCannotReachComeThroughTheDriver() throws Exception {
        requireRight(workers, "workers");
        assertThat(Files.readString(folder.resolve("workers.log")))
                .containsPattern(
                        "Node worker-\\S+ cannot be reached from here: .*\\. Is the network between them cut\\?");
    }
}
