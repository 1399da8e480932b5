package dev.millrace.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.benchmarks.MeasuredProcess;
import dev.millrace.benchmarks.workload.Workloads;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterReportTest {
    private static MeasuredProcess measured(String result, List<Double> seconds, List<Double> cpu) {
        return new MeasuredProcess(seconds, cpu, result, 5, 300, new MeasuredProcess.Whole(6, 7));
    }

    private static ClusterReport report(String theirs) {
        return new ClusterReport(
                Workloads.find("range").orElseThrow(),
                "local:3",
                measured("7", List.of(2.0, 1.0), List.of(2.0, 1.5)),
                measured("7", List.of(4.0, 2.0), List.of(6.0, 3.0)),
                measured(theirs, List.of(20.0), List.of(30.0)));
    }

    @Test
    void theTableComparesCpuAndTimeWithOneProcessAndWithThePeer() {
        assertThat(report("7").toTable()).isEqualTo("""
                        range: 100 million numbers through two batch functions (double, keep every third), summed

                                     seconds     CPU s  peak MB  result             each time: seconds (CPU seconds)
                        embedded       1.000     1.500      300  7                  2.000 (2.000) 1.000 (1.500)
                        local:3        2.000     3.000      300  7                  4.000 (6.000) 2.000 (3.000)
                        ray data        20.0      30.0      300  7                  20.0 (30.0)

                        Against one process: 2.000 times the CPU, 2.000 times the seconds
                        Against Ray Data: 10.0 times its speed, its CPU is 10.0 times ours
                        The results agree
                        """);
    }

    @Test
    void resultsThatDifferAreSaidAloud() {
        assertThat(report("8").agrees()).isFalse();
        assertThat(report("8").toTable()).endsWith("THE RESULTS DIFFER\n");
        assertThat(report("8").toJson())
                .contains("\"cpu_against_embedded\": 2, ", "\"ratio\": 10, ", "\"agrees\": false");
    }
}
