package dev.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.benchmarks.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadsTest {
    @TempDir
    static Path data;

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

    @ParameterizedTest
    @CsvSource({
        "nulls-filter, 2.61500000e+03 / 1.56092467e+09 / 1.05643549e+07",
        "nulls-group, 4.01800000e+03 / 2.08503215e+09 / 1.46651874e+07 / 4.20200000e+03 / 1.45619886e+09",
        "keys-sort, 6000 / c4 98 287 2658",
        "strings-distinct, 6000",
        "text-functions, 9.00800000e+04 / 1.14000000e+05 / 2.99614131e+09 / 5.04000000e+04 / 6.81000000e+02",
    })
    void aWorkloadOverMixedColumnsMakesItsTables(String name, String result) throws Exception {
        Workload workload = Workloads.find(name).orElseThrow();
        BenchSettings settings = new BenchSettings(1, 0.001, data);
        workload.prepare(settings);

        assertThat(workload.measure(settings).result()).isEqualTo(result);
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
