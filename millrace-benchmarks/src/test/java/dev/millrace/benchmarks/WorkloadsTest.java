package dev.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.benchmarks.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadsTest {
    @ParameterizedTest
    @CsvSource({
        "rows, 0.001, 667",
        "rows-records, 0.001, 667",
        "range, 0.001, 3333366666",
        "scheduling, 0.005, 1225",
        "spill, 0.01, 3602879540835",
    })
    void aSmallRunGivesTheKnownResult(String name, double scale, String result) throws Exception {
        Measurement measured = Workloads.find(name).orElseThrow().measure(new BenchSettings(2, scale, null));

        assertThat(measured.result()).isEqualTo(result);
        assertThat(measured.all()).hasSize(2);
        assertThat(measured.seconds()).isPositive();
    }

    @Test
    void schedulingCountsTheTasksOfOperatorsThatDoNotFuse() throws Exception {
        Measurement measured = Workloads.find("scheduling").orElseThrow().measure(new BenchSettings(1, 0.005, null));

        assertThat(measured.figures().get("tasks")).isGreaterThanOrEqualTo(20 * 50);
    }

    @Test
    void orderIsComparedInPairs() throws Exception {
        Measurement measured = Workloads.find("order").orElseThrow().measure(new BenchSettings(1, 0.0001, null));

        assertThat(measured.figures()).containsKeys("unordered_seconds", "order_cost_percent");
    }

    @ParameterizedTest
    @EnumSource(Peer.class)
    void everyPeerHasItsScriptAndItsPackages(Peer peer) throws Exception {
        assertThat(Peer.class.getResource("/peers/with_" + peer.label() + ".py"))
                .isNotNull();
        Path packages = Project.root().resolve("tools/python/" + peer.label() + ".txt");
        assertThat(Files.exists(packages)).isTrue();
    }

    @Test
    void aPeerThatLacksAWorkloadSaysWhatItHas() {
        assertThatThrownBy(() -> Peer.DUCKDB.require(Workloads.find("rows").orElseThrow()))
                .isInstanceOf(BenchFailure.class)
                .hasMessageStartingWith("'rows' has no counterpart in duckdb, which has range, start, scan, ");
    }

    @Test
    void aWorkloadThatReadsFilesSaysHowToMakeThem() {
        assertThatThrownBy(() -> Workloads.find("scan").orElseThrow().measure(new BenchSettings(1, 1, null)))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("give --data DIR");
    }

    @Test
    void theSettingsRefuseNonsense() {
        assertThatThrownBy(() -> new BenchSettings(0, 1, null)).hasMessageContaining("1 or more, not 0");
        assertThatThrownBy(() -> new BenchSettings(1, 0, null)).hasMessageContaining("above 0, not 0.0");
    }
}
