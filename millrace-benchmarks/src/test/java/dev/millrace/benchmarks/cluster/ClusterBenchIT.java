package dev.millrace.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.Workload;
import dev.millrace.benchmarks.suite.OwnRun;
import dev.millrace.benchmarks.workload.Workloads;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ClusterBenchIT {
    private static final List<String> JAVA =
            OwnRun.java(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));

    private static Workload workload(String name) {
        return Workloads.find(name).orElseThrow();
    }

    @Test
    void aWorkloadRunsInOneProcessAndOnWorkersAndTheCpuTimeOfAllIsCounted() throws Exception {
        ClusterReport report = new ClusterBench(workload("tiny"), new BenchSettings(2, 0.02, null), JAVA)
                .run("local:2", null, _ -> {});

        assertThat(report.agrees()).isTrue();
        assertThat(report.ours().result()).isEqualTo("380");
        assertThat(report.ours().seconds()).hasSize(2);
        assertThat(report.ours().cpuSeconds()).hasSize(2);
        // The first run loads classes in all processes.
        assertThat(report.ours().cpuSeconds().getFirst()).isPositive();
        assertThat(report.embedded().cpuSeconds().getFirst()).isPositive();
        assertThat(report.toTable()).contains("\nembedded ", "\nlocal:2 ", "The results agree");
    }

    @Test
    void aWorkloadThatLacksItsFilesFailsWithItsSentence() {
        ClusterBench bench = new ClusterBench(workload("sort"), new BenchSettings(1, 1, null), JAVA);

        assertThatThrownBy(() -> bench.run("local:2", null, _ -> {}))
                .isInstanceOf(BenchFailure.class)
                .hasMessageStartingWith("millrace in one process gave no result (exit code 1): This workload reads"
                        + " DIR/tpch/lineitem/*.parquet: give --data DIR.");
    }

    @Test
    void whatCannotBeMeasuredIsRefusedBeforeAnythingRuns() {
        assertThatThrownBy(() -> ClusterBench.check(workload("memory"), "local:3", null))
                .isInstanceOf(BenchFailure.class)
                .hasMessageStartingWith("'memory' is not measured on clusters. Choose one of range, rows, tiny, ");
        assertThatThrownBy(() -> ClusterBench.check(workload("range"), "local:3", Peer.DUCKDB))
                .hasMessage("on a cluster the only peer is ray, not duckdb: the others run in one process.");
        assertThatThrownBy(() -> ClusterBench.check(workload("range"), "ray://head:6379", null))
                .hasMessage(
                        "a workload is measured on a cluster of this machine, local:N or ray, not on"
                                + " 'ray://head:6379': the CPU time of all processes is counted, which other machines do not tell.");
    }
}
