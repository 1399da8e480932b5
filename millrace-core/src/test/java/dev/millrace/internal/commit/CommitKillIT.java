package dev.millrace.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Processes that die in the middle of a commit: by halting at a step, and by signal 9 at any time.
@Timeout(120)
class CommitKillIT {
    private static final int KILLS = 4;
    /// A process takes a moment to start: every third step is tried, and [FolderCommitTest] has them all.
    private static final int STRIDE = 3;

    private static final Logger LOG = Logger.getLogger(InterruptedCommits.class.getName());

    @TempDir
    Path base;

    @BeforeEach
    void beQuiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void speakAgain() {
        LOG.setLevel(null);
    }

    private static Process start(CommitScene scene, Path folder, String... what) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                CommitScene.class.getName(),
                scene.name(),
                folder.toString()));
        command.addAll(List.of(what));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static int exit(Process process) throws InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @ParameterizedTest
    @EnumSource(names = {"APPEND", "PARTITIONED_OVERWRITE"})
    void aProcessThatHaltsAtAStepLeavesAllOrNothing(CommitScene scene) throws Exception {
        int whole = 0;
        int nothing = 0;
        for (int nth = 1; ; nth += STRIDE) {
            Path folder = Files.createDirectories(base.resolve("s" + nth)).resolve("out");
            CommitScene.fill(folder);
            int exit = exit(start(scene, folder, "halt", Integer.toString(nth)));
            String seen = CommitScene.seen(folder);
            if (exit == 0) {
                assertThat(seen).isEqualTo(scene.after());
                break;
            }
            assertThat(exit).isEqualTo(9);
            assertThat(seen).as("step %d", nth).isIn(CommitScene.before(), scene.after());
            assertThat(seen.equals(scene.after())).as("step %d", nth).isEqualTo(nth > 2);
            whole += seen.equals(scene.after()) ? 1 : 0;
            nothing += seen.equals(CommitScene.before()) ? 1 : 0;
        }
        assertThat(whole).isGreaterThan(2);
        assertThat(nothing).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"PARTITIONED_APPEND", "OVERWRITE"})
    void aProcessThatIsKilledLeavesWholeCommits(CommitScene scene) throws Exception {
        long seed = Seeds.seed();
        System.out.println("CommitKillIT " + scene + ": seed " + seed);
        Random random = new Random(seed);
        Path folder = base.resolve("out");
        for (int kill = 0; kill < KILLS; kill++) {
            Process process = start(scene, folder, "loop");
            try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
                for (int rounds = 1 + random.nextInt(4); rounds > 0; rounds--) {
                    assertThat(said.readLine()).isEqualTo("round");
                }
                Thread.sleep(random.nextInt(12));
                process.destroyForcibly();
                exit(process);
            }
            String seen = CommitScene.seen(folder);
            Map<String, Integer> files = new TreeMap<>();
            for (String file : seen.substring(1, seen.length() - 1).split(", ", -1)) {
                files.merge(
                        file.substring(file.indexOf('=', file.indexOf(".txt")) + 1, file.indexOf(':')),
                        1,
                        Integer::sum);
            }
            assertThat(files.values()).as(seen).allMatch(count -> count == scene.names.size());
            if (scene.overwrite) {
                assertThat(files).hasSize(1);
            }
        }
    }

    @Test
    void theCommitOfALivingProcessIsWaitedForAndLeftAlone() throws Exception {
        Path folder = base.resolve("out");
        CommitScene.fill(folder);
        CommitScene scene = CommitScene.PARTITIONED_OVERWRITE;
        Process process = start(scene, folder, "wait");
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(said.readLine()).isEqualTo("placed");
            Future<String> reader = threads.submit(() -> CommitScene.seen(folder));
            Future<?> writer = threads.submit(() -> CommitScene.APPEND.write(folder));
            assertThat(CommitJournal.in(TemporaryFolder.of(folder))).hasSize(1);
            process.outputWriter().write('\n');
            process.outputWriter().flush();
            assertThat(exit(process)).isZero();
            writer.get(60, TimeUnit.SECONDS);
            // The append may have come before the reader looked, or not.
            String seen = reader.get(60, TimeUnit.SECONDS);
            assertThat(CommitScene.seen(folder))
                    .contains("new a", "new day=2/a")
                    .doesNotContain("old day=9");
            assertThat(seen)
                    .contains("new day=1/old-1", "new day=2/a", "new day=3/b")
                    .doesNotContain("old ");
        } finally {
            process.destroyForcibly();
        }
    }
}
