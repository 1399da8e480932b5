package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @Test
    void withoutANameTheWorkloadsAreListed() {
        assertThat(run("bench")).isZero();
        assertThat(out.toString())
                .contains("rows  ", "rows-records  ", "range  ", "start  ", "scheduling  ", "order  ");
    }

    @Test
    void aDeviceAndAPlaceToDecodeAreOfAFewWords() {
        assertThat(run("bench", "gpu", "--device", "tpu")).isNotZero();
        assertThat(err.toString()).contains("--device is cuda or cpu, not 'tpu'.");
        assertThat(run("bench", "gpu", "--decode", "gpu")).isNotZero();
        assertThat(err.toString()).contains("--decode is cpu or device, not 'gpu'.");
    }

    @Test
    void jsonIsOneObjectAndNothingElse() {
        assertThat(run("bench", "range", "--json", "--times", "1", "--scale", "0.0001"))
                .isZero();
        assertThat(out.toString().strip())
                .matches("\\{\"name\": \"range\", \"seconds\": [0-9.]+, \"rss_mb\": [0-9]+, "
                        + "\"result\": \"33336666\", \"all_seconds\": \\[[0-9.]+], \"rows_per_second\": [0-9.]+}");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void withoutANumberOfTimesEveryWorkloadRunsSevenTimes() {
        assertThat(run("bench", "range", "--json", "--scale", "0.0001")).isZero();
        assertThat(out.toString()).containsPattern("\\[([0-9.]+, ){6}[0-9.]+]");
    }

    @Test
    void theFirstRunsAreThoseOfFreshProcesses() {
        assertThat(run("bench", "range", "--cold", "--json", "--times", "2", "--scale", "0.0001"))
                .isZero();
        assertThat(out.toString().strip())
                .matches("\\{\"name\": \"range\", \"mode\": \"cold\", \"engines\": \\[\\{\"engine\": \"millrace\", "
                        + "\"seconds\": [0-9.]+, \"cpu_seconds\": [0-9.]+, \"peak_mb\": [0-9]+, "
                        + "\"result\": \"33336666\", \"all_seconds\": \\[[0-9.]+, [0-9.]+]}], \"agrees\": true}");
    }

    @Test
    void allWritesAReportAndStoresABaselineForTheNext(@TempDir Path folder) throws Exception {
        String[] command = {
            "bench", "all", "--only", "range,scan", "--times", "1", "--scale", "0.0001", "--out", folder.toString()
        };
        assertThat(run(with(command, "--store"))).isZero();
        assertThat(run(command)).isZero();

        assertThat(out.toString()).contains("range: millrace ", "The report: " + folder.resolve("report.md"));
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("## Warm runs", "| range |", "## Against the baseline", "| range | warm | millrace |")
                .contains("- scan, millrace: millrace gave no result (exit code 1): This workload reads DIR/tpch/");
        assertThat(folder.resolve("time-warm.svg")).content().startsWith("<svg").contains("range");
    }

    private static String[] with(String[] command, String more) {
        String[] longer = Arrays.copyOf(command, command.length + 1);
        longer[command.length] = more;
        return longer;
    }

    @Test
    void whatCannotBeMeasuredThisWayIsASentence() {
        assertThat(run("bench", "start", "--cold")).isEqualTo(2);
        assertThat(run("bench", "range", "--peers", "duckdb,polars")).isEqualTo(2);
        assertThat(run("bench", "all", "--only", "range", "--baseline", "gone.tsv"))
                .isEqualTo(2);
        assertThat(err.toString()).isEqualTo("""
                        millrace bench: 'start' measures fresh processes already: leave --cold out.
                        millrace bench: several peers are measured with --cold, or by 'millrace bench all'.
                        millrace bench: there is no baseline gone.tsv.
                        """);
    }

    @Test
    void anUnknownWorkloadIsAnsweredWithOneSentence() {
        assertThat(run("bench", "rosw")).isEqualTo(2);
        assertThat(err.toString().strip()).isEqualTo("millrace bench: there is no workload 'rosw'. Did you mean rows?");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anUnknownPeerIsAnsweredWithTheOnesThereAre() {
        assertThat(run("bench", "rows", "--peer", "mapreduce")).isEqualTo(2);
        assertThat(err.toString().strip())
                .isEqualTo("millrace bench: there is no peer 'mapreduce'. "
                        + "Choose one of ray, torch, daft, polars, duckdb, pyarrow, spark, plain.");
    }

    @Test
    void aPeerWithoutTheWorkloadSaysSoBeforeAnythingRuns() {
        assertThat(run("bench", "order", "--peer", "ray")).isEqualTo(2);
        assertThat(err.toString().strip())
                .startsWith("millrace bench: 'order' has no counterpart in ray, which has rows, range, start");
    }

    @Test
    void aNumberThatIsNoneIsAnsweredWithOneSentence() {
        assertThat(run("bench", "rows", "--times", "0")).isEqualTo(2);
        assertThat(run("bench", "rows", "--times", "often")).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("""
                        millrace bench: the number of times must be 1 or more, not 0.
                        millrace bench: Invalid value for option '--times': 'often' is not an int
                        """);
    }

    @Test
    void aClusterThatCannotBeMeasuredIsAnsweredWithOneSentence() {
        assertThat(run("bench", "rows", "--cluster", "nowhere")).isEqualTo(2);
        assertThat(run("bench", "rosw", "--cluster", "local:3")).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("""
                        millrace bench: a workload is measured on a cluster of this machine, local:N or ray, not on \
                        'nowhere': the CPU time of all processes is counted, which other machines do not tell.
                        millrace bench: there is no workload 'rosw'. Did you mean rows?
                        """);
    }
}
