package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class FuzzTest {
    private static final Pattern FILE = Pattern.compile("are in (\\S+\\.txt)\\.");

    @TempDir
    Path folder;

    @Test
    void aReadingThatNeverEndsFailsWithItsSeedAndAllThreads() throws IOException {
        Path original = Files.write(folder.resolve("good.bin"), new byte[100]);
        CountDownLatch end = new CountDownLatch(1);
        int[] readings = {0};
        try {
            AssertionError failure = catchThrowableOfType(
                    AssertionError.class,
                    () -> new Fuzz(List.of(original), folder, ".bin")
                            .time(Duration.ofSeconds(1))
                            .run(10, (_, _) -> {
                                // The first is the file as it was, the second one damaged.
                                if (++readings[0] == 3) {
                                    standsStill(end);
                                }
                            }));
            assertThat(failure)
                    .hasMessageStartingWith("-Dmillrace.fuzz.seed=")
                    .hasMessageContaining(", case 1, good.bin: not done after PT1S. All threads, virtual ones too,");
            Matcher file = FILE.matcher(failure.getMessage());
            assertThat(file.find()).as(failure.getMessage()).isTrue();
            Path threads = Path.of(file.group(1));
            assertThat(threads).content().contains("fuzz-reader", "FuzzTest.standsStill");
            Files.delete(threads);
        } finally {
            end.countDown();
        }
    }

    /// Whatever it is told.
    private static void standsStill(CountDownLatch end) {
        boolean over = false;
        while (!over) {
            try {
                end.await();
                over = true;
            } catch (InterruptedException _) {
                // As a loop in a library would.
            }
        }
    }
}
