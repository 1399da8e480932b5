package dev.millrace.internal.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A disk that is really full: a small file system in memory, mounted for a process of its own.
@Timeout(90)
class FullDiskIT {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"size=24m, bytes are free there", "'size=256m,nr_inodes=20', No space left on device"})
    void itHoldsWorkBackAndIsThenAnErrorThatNamesDirectoryNeedAndCap(String options, String reason) throws Exception {
        assumeTrue(mounts("true", options), "this user may not mount a file system in a namespace of its own");
        List<String> job = ChildJvm.command(
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), SpillJob.class, "full", folder.toString());
        Process process = new ProcessBuilder(inNamespace(String.join(" ", quoted(job)), options))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = ChildJvm.linesOf(process);
        assertThat(lines).hasSize(5);
        assertThat(lines.getFirst())
                .matches("error .*A block of \\d+ bytes cannot be spilled to " + folder + "/millrace-spill-\\S+: .*"
                        + reason + ".* \\(\\d+ of at most " + (1L << 40)
                        + " bytes are spilled\\)\\. Free disk space, or name more directories in SpillSettings\\..*");
        assertThat(lines.subList(1, 5))
                .containsExactly(
                        "files 0", "stream " + SpillJob.sumOfStream(), "kept " + SpillJob.sumOfKept(), "held 0");
    }

    private boolean mounts(String command, String options) throws Exception {
        try {
            return new ProcessBuilder(inNamespace(command, options))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException _) {
            return false; // there is no unshare
        }
    }

    private List<String> inNamespace(String command, String options) {
        return List.of(
                "unshare",
                "-Urm",
                "sh",
                "-c",
                "mount -t tmpfs -o " + options + " tmpfs '" + folder + "' && exec " + command);
    }

    private static List<String> quoted(List<String> words) {
        List<String> quoted = new ArrayList<>();
        words.forEach(word -> quoted.add("'" + word + "'"));
        return quoted;
    }
}
