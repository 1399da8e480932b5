package dev.millrace.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.MeasuredProcess;
import dev.millrace.benchmarks.Workload;
import dev.millrace.benchmarks.workload.Workloads;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColdBenchTest {
    private static final Workload RANGE = Workloads.find("range").orElseThrow();
    private static final BenchSettings SETTINGS = new BenchSettings(7, 1, null);

    private final List<String> order = new ArrayList<>();

    /// Takes one second more each time.
    private Contestant contestant(String label, double first, String result) {
        List<Double> taken = new ArrayList<>();
        return new Contestant(label, (_, _, times) -> {
            assertThat(times).isOne();
            order.add(label);
            taken.add(first + taken.size());
            double seconds = taken.getLast();
            return new MeasuredProcess(
                    List.of(0.1),
                    List.of(),
                    result,
                    seconds,
                    100 + taken.size(),
                    new MeasuredProcess.Whole(seconds, 2 * seconds));
        });
    }

    @Test
    void enginesTakeTurnsAndTheMedianOfWholeProcessesCounts() throws Exception {
        ColdReport report = ColdBench.run(
                RANGE, SETTINGS, List.of(contestant("millrace", 2, "7"), contestant("duckdb", 1, "7")), 3);

        assertThat(order).containsExactly("millrace", "duckdb", "duckdb", "millrace", "millrace", "duckdb");
        assertThat(report.toTable()).isEqualTo("""
                        range: 100 million numbers through two batch functions (double, keep every third), summed

                                          seconds     CPU s  peak MB  result             each process, from its start to its end
                        millrace            3.000     6.000      103  7                  2.000 3.000 4.000
                        duckdb              2.000     4.000      103  7                  1.000 2.000 3.000

                        millrace takes 1.500 times duckdb's time and 1.500 times its CPU
                        The results agree
                        """);
    }

    @Test
    void resultsThatDifferAreTold() throws Exception {
        ColdReport report = ColdBench.run(
                RANGE, SETTINGS, List.of(contestant("millrace", 2, "7"), contestant("duckdb", 1, "8")), 1);

        assertThat(report.agrees()).isFalse();
        assertThat(report.toTable()).endsWith("THE RESULTS DIFFER\n");
    }

    @Test
    void aWorkloadThatStartsProcessesItselfIsRefused() {
        assertThatThrownBy(() -> ColdBench.check(Workloads.find("start").orElseThrow()))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("'start' measures fresh processes already: leave --cold out.");
    }
}
