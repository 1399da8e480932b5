package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The whole process, as the system counts it, stays within the limit and the fixed overhead that `designs/memory.md`
/// states, whatever the pipeline. Each kind has a process of its own, with a Java heap that its functions can live
/// with.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class MemoryBoundIT {
    private static final long LIMIT = 128_000_000;
    private static final long OVERHEAD = 300_000_000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "fanOut, 800000",
        "slowConsumer, 8000",
        "hugeFile, 40000000",
        "skewed, 10000",
        "manyOperators, 3000",
        "threeDatasets, 9000",
        "pausedIterator, 6000",
        "materialised, 24000000",
        "sessions, 48000000",
        "sorted, 12000000",
        "sortedSkewed, 12000000",
        "grouped, 8000000",
        "shuffled, 12000000",
        "joined, 10000000",
        "joinedSkewed, 10000000",
        "joinedAcross, 2000000",
        "windowed, 8000000",
        "windowedAtOnce, 1500000"
    })
    void theProcessStaysWithinTheLimitAndAFixedOverhead(String kind, long rows) throws Exception {
        long began = System.nanoTime();
        Process job = ChildJvm.start(
                List.of("-XX:+UseParallelGC", "-Xms64m", "-Xmx128m"),
                MemoryBoundJob.class,
                kind,
                Long.toString(LIMIT),
                folder.toString());
        String[] words = ChildJvm.linesOf(job).getLast().split(" ", -1);
        long peak = Long.parseLong(words[1]);
        System.out.println("MemoryBoundIT " + kind + ": " + peak / 1_000_000 + " MB at most, limit " + LIMIT / 1_000_000
                + " MB, " + (System.nanoTime() - began) / 1_000_000 + " ms");
        assertThat(Long.parseLong(words[0])).isEqualTo(rows);
        assertThat(peak).isLessThanOrEqualTo(LIMIT + OVERHEAD);
    }

    /// Then memory comes from Java's arenas, and Java has nothing to warn of.
    @Test
    void aProgramThatMayNotCallTheSystemRunsWithoutAWord() throws Exception {
        List<String> command = new ArrayList<>(ChildJvm.command(
                List.of("-XX:+UseParallelGC", "-Xms64m", "-Xmx128m"),
                MemoryBoundJob.class,
                "pausedIterator",
                Long.toString(LIMIT),
                folder.toString()));
        assertThat(command.remove("--enable-native-access=ALL-UNNAMED")).isTrue();
        List<String> lines = ChildJvm.linesOf(
                new ProcessBuilder(command).redirectErrorStream(true).start());
        assertThat(lines).singleElement().asString().startsWith("6000 ");
    }
}
