package dev.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class MeasuredProcessTest {
    /// Takes CPU time until the system has counted some.
    private static final String BUSY = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";

    @TempDir
    Path folder;

    private MeasuredProcess run(String script) throws Exception {
        return MeasuredProcess.run("the script", new ProcessBuilder("sh", "-c", script), Set::of, folder);
    }

    @Test
    void theCpuTimeOfEachRunIsThatBetweenItsMarks() throws Exception {
        MeasuredProcess measured = run("echo 'run begins'; read a; echo 'run ends'; read a; echo 'run begins'; read a; "
                + BUSY + "; echo 'run ends'; read a; echo '{\"seconds\": [0.25, 1.5], \"result\": \"7 / 8\"}'");

        assertThat(measured.seconds()).containsExactly(0.25, 1.5);
        assertThat(measured.result()).isEqualTo("7 / 8");
        assertThat(measured.cpuSeconds()).hasSize(2);
        assertThat(measured.cpuSeconds().get(1)).isPositive();
    }

    @Test
    void processesThatItStartsCountToo() throws Exception {
        MeasuredProcess measured = run("mkfifo " + folder + "/done " + folder + "/end; echo 'run begins'; read a;"
                + " sh -c '" + BUSY + "; echo > " + folder + "/done; cat " + folder + "/end' &"
                + " cat " + folder + "/done; echo 'run ends'; read a; echo > " + folder + "/end; wait;"
                + " echo '{\"seconds\": [1.0], \"result\": \"x\"}'");

        assertThat(measured.cpuSeconds()).hasSize(1);
        assertThat(measured.cpuSeconds().getFirst()).isPositive();
    }

    @Test
    void aProcessWithoutAnAnswerIsASentenceWithItsLastWords() {
        assertThatThrownBy(() -> run("echo 'The data is gone.' >&2; exit 3"))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("the script gave no result (exit code 3): The data is gone.");
    }

    @Test
    void anAnswerIsReadAsItIsWritten() throws Exception {
        MeasuredProcess measured = run("echo '" + MeasuredProcess.answer(List.of(0.5, 2.0), "[(a, 1)]") + "'");

        assertThat(measured.seconds()).containsExactly(0.5, 2.0);
        assertThat(measured.result()).isEqualTo("[(a, 1)]");
        assertThat(measured.cpuSeconds()).isEmpty();
    }
}
