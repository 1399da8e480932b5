package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A driver on a machine with fewer CPUs than it has workers: no virtual thread may keep a carrier for as long as a
/// worker lives.
@Timeout(90)
class FewCarriersIT {
    public static void main(String[] arguments) {
        long rows;
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .cluster(ClusterSettings.DEFAULT.withWorkerMemory(64 << 20))
                .cluster("local:2")
                .open()) {
            rows = session.range(1000, 4).map(row -> row).count();
        }
        System.exit(rows == 1000 ? 0 : 1);
    }

    @Test
    void aDriverWithOneCarrierThreadRunsOnTwoLocalWorkers() throws Exception {
        List<String> command = new ArrayList<>(WorkerProcess.java(FewCarriersIT.class));
        command.addAll(
                1, List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1"));
        Process driver = new ProcessBuilder(command).inheritIO().start();
        try {
            assertThat(driver.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(driver.exitValue()).isZero();
        } finally {
            driver.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
    }
}
