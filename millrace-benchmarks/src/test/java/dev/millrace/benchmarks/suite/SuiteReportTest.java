package dev.millrace.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.MeasuredProcess;
import dev.millrace.benchmarks.Peer;
import dev.millrace.benchmarks.suite.Outcome.Mode;
import dev.millrace.benchmarks.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteReportTest {
    @TempDir
    Path folder;

    private static Outcome outcome(String workload, Mode mode, String engine, double seconds) {
        return new Outcome(workload, mode, engine, seconds, 2 * seconds, 100, "7", List.of(seconds));
    }

    private static final SuiteResults RESULTS = new SuiteResults(
            List.of(
                    outcome("scan", Mode.WARM, "millrace", 2),
                    outcome("scan", Mode.WARM, "duckdb", 1),
                    outcome("scan", Mode.WARM, "polars", 4),
                    outcome("join", Mode.WARM, "millrace", 1),
                    outcome("join", Mode.WARM, "duckdb", 2),
                    outcome("scan", Mode.COLD, "millrace", 3),
                    outcome("scan", Mode.COLD, "millrace+cache", 2),
                    outcome("scan", Mode.COLD, "duckdb", 1)),
            List.of("'scan': polars has 8, millrace 7."),
            List.of(new SuiteResults.Failure("images", "millrace", "There are no photographs.")));

    @Test
    void thePageSaysWhereWeLoseAndComparesWithTheBestOther() {
        String page = new SuiteReport(RESULTS, null, List.of("2 cores")).markdown();

        assertThat(page)
                .contains("- 2 cores\n")
                .contains("millrace takes 1.000 times duckdb's time in the geometric mean.")
                .contains("millrace takes 0.500 times polars's time in the geometric mean.")
                .contains("millrace takes 1.000 times that of the best of them for each workload.")
                .contains("Slower than the best of the others: scan 2.000 (times its time).")
                .contains("| scan | 2.000, 4.000, 100 | 1.000, 2.000, 100 | 4.000, 8.000, 100 | 2.000 |")
                .contains("| join | 1.000, 2.000, 100 | 2.000, 4.000, 100 |  | 0.500 |")
                .contains("millrace+cache takes 2.000 times duckdb's time in the geometric mean.")
                .contains("- 'scan': polars has 8, millrace 7.")
                .contains("- images, millrace: There are no photographs.")
                .doesNotContain("baseline");
    }

    @Test
    void aBaselineShowsWhatAChangeDid() throws Exception {
        Path file = folder.resolve("baseline.tsv");
        Baseline.write(
                file, List.of(outcome("scan", Mode.WARM, "millrace", 4), outcome("gone", Mode.WARM, "millrace", 1)));

        String page = new SuiteReport(RESULTS, Baseline.read(file), List.of()).markdown();

        assertThat(page)
                .contains("| scan | warm | millrace | 4.000 | 2.000 | 0.500 faster | 100 | 100 |")
                .doesNotContain("gone");
        assertThat(page.lines().filter(line -> line.startsWith("| scan | warm")))
                .hasSize(1);
    }

    @Test
    void aFileThatIsNoBaselineIsASentence() throws Exception {
        Path file = Files.writeString(folder.resolve("x.tsv"), "hello\n");

        assertThatThrownBy(() -> Baseline.read(file))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("line 1 of " + file + " is no result of 'millrace bench all': hello");
    }

    @Test
    void thePageItsImagesAndTheResultsAreWritten() throws Exception {
        SuiteReport.write(folder.resolve("bench"), RESULTS, null, List.of(Peer.DUCKDB), SuiteReport.load());

        assertThat(Files.readString(folder.resolve("bench/report.md")))
                .contains("cores", "duckdb: duckdb==", "![time](time-warm.svg)", "![memory](memory-cold.svg)");
        assertThat(Files.readString(folder.resolve("bench/time-cold.svg"))).contains("millrace+cache", "First runs");
        assertThat(Baseline.read(folder.resolve("bench/results.tsv"))).hasSize(8);
    }

    @Test
    void anEngineThatFailsDoesNotEndTheOthersAndDifferencesAreNoted() throws Exception {
        List<String> told = new ArrayList<>();
        Contestant ours = contestant("millrace", "7");
        Contestant failing = new Contestant("polars", (_, _, _) -> {
            throw new BenchFailure("polars gave no result.");
        });
        SuiteResults results = new BenchSuite(
                        new BenchSettings(3, 1, null),
                        List.of(ours),
                        Map.of(Peer.DUCKDB, contestant("duckdb", "8"), Peer.POLARS, failing),
                        2,
                        told::add)
                .run(List.of(
                        Workloads.find("range").orElseThrow(),
                        Workloads.find("order").orElseThrow()));

        assertThat(results.engines(Mode.WARM)).containsExactly("millrace", "duckdb");
        assertThat(results.workloads(Mode.COLD)).containsExactly("range", "order");
        assertThat(results.failures())
                .containsExactly(new SuiteResults.Failure("range", "polars", "polars gave no result."));
        assertThat(results.differences())
                .containsOnly("'range': duckdb has 8, millrace 7.")
                .hasSize(2);
        assertThat(told)
                .containsExactly(
                        "range: polars gave no result.",
                        "range: millrace 1.000 s, duckdb 1.000 s",
                        "range (first run): millrace 2.000 s, duckdb 2.000 s",
                        "order: millrace 1.000 s",
                        "order (first run): millrace 2.000 s");
    }

    private static Contestant contestant(String label, String result) {
        return new Contestant(
                label,
                (_, _, _) ->
                        new MeasuredProcess(List.of(1.0), List.of(), result, 1, 100, new MeasuredProcess.Whole(2, 3)));
    }
}
