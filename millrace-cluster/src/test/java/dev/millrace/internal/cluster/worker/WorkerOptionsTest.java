package dev.millrace.internal.cluster.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerOptionsTest {
    private static final Map<String, String> TOKEN = Map.of(WorkerOptions.TOKEN, "0123456789abcdef");

    @Test
    void withoutOptionsAWorkerListensOnThisMachineOnly() {
        WorkerOptions options = WorkerOptions.parse(new String[0], TOKEN);
        assertThat(options.host()).isEqualTo("127.0.0.1");
        assertThat(options.port()).isZero();
        assertThat(options.blockMemory()).isPositive();
        assertThat(options.untilStdinEnds()).isFalse();
    }

    @Test
    void optionsSayWhereItListensAndWhatItHas() {
        String[] line = {
            "--listen",
            "[::1]:7400",
            "--advertise",
            "node-3",
            "--cpus",
            "2.5",
            "--gpus",
            "1",
            "--memory",
            "150m",
            "--custom",
            "tpu=2",
            "--stdin"
        };
        WorkerOptions options = WorkerOptions.parse(line, TOKEN);
        assertThat(options.host()).isEqualTo("::1");
        assertThat(options.port()).isEqualTo(7400);
        assertThat(options.advertised()).isEqualTo("node-3");
        assertThat(options.resources().cpus()).isEqualTo(2.5);
        assertThat(options.resources().gpus()).isEqualTo(1);
        assertThat(options.resources().custom()).isEqualTo(Map.of("tpu", 2.0));
        assertThat(options.blockMemory()).isEqualTo(150L << 20);
        assertThat(options.untilStdinEnds()).isTrue();
    }

    @Test
    void aTokenComesFromAFileOrTheEnvironmentAndIsNotShort(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "a token of a file\n");
        assertThat(WorkerOptions.parse(new String[] {"--token-file", file.toString()}, TOKEN)
                        .token())
                .isEqualTo("a token of a file");
        assertThat(WorkerOptions.parse(new String[0], TOKEN).token()).isEqualTo("0123456789abcdef");
        assertThatThrownBy(() -> WorkerOptions.parse(new String[0], Map.of(WorkerOptions.TOKEN, "short")))
                .hasMessage("A worker needs a token of at least 16 characters, which its drivers know too: in a file"
                        + " (--token-file FILE) or in the environment (MILLRACE_TOKEN). It runs the code of whoever has"
                        + " it.");
    }

    @Test
    void aWrongOptionIsNamed() {
        assertThatThrownBy(() -> WorkerOptions.parse(new String[] {"--cpu", "3"}, TOKEN))
                .hasMessageStartingWith("A worker has no option '--cpu', or its value is missing.");
        assertThatThrownBy(() -> WorkerOptions.parse(new String[] {"--memory", "much"}, TOKEN))
                .hasMessage("--memory needs a number from 0 to 9223372036854775807, not 'much'.");
    }
}
