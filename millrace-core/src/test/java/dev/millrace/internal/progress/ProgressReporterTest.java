package dev.millrace.internal.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.engine.PlanRun;
import dev.millrace.internal.observe.RunDetails;
import dev.millrace.internal.stats.SampleStats;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ProgressSettings.Mode;
import dev.millrace.stats.RunStats;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class ProgressReporterTest {
    private static final Duration SOON = Duration.ofMillis(1);
    private static final String SUMMARY = "trips: finished in 2 s";

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    private ProgressReporter reporter() {
        return new ProgressReporter(
                new PrintStream(written, true, StandardCharsets.UTF_8),
                settings -> new ProgressReporter.Screen(settings.mode() == Mode.BARS, () -> 80, true));
    }

    private static ProgressSettings settings(Mode mode, Duration after) {
        return new ProgressSettings(mode, after, Duration.ofMillis(20));
    }

    @Test
    void barsAreRedrawnInPlaceAndLeaveOneLine() throws Exception {
        FakeRun run = new FakeRun();
        try (ProgressReporter reporter = reporter()) {
            reporter.started(run, settings(Mode.BARS, SOON));
            await(() -> text().contains("\u001b[3A\r\u001b[J"));
            run.state = RunStats.State.FINISHED;
            reporter.finished(run);
            assertThat(text()).contains("mapBatches(model)").endsWith("MiB\n").contains(SUMMARY);
            int length = text().length();
            Thread.sleep(150);
            assertThat(text()).hasSize(length);
        }
    }

    @Test
    void linesAreWrittenAndTheEndIsNoticedByTheState() throws Exception {
        FakeRun run = new FakeRun();
        try (ProgressReporter reporter = reporter()) {
            reporter.started(run, settings(Mode.LINES, SOON));
            await(() -> text().contains("mapBatches(model) at Trips:12: 12.3 M rows, 45 %"));
            run.state = RunStats.State.FINISHED;
            await(() -> text().contains(SUMMARY));
            assertThat(text()).doesNotContain("\u001b");
        }
    }

    @Test
    void aShortRunShowsNothing() {
        FakeRun run = new FakeRun();
        try (ProgressReporter reporter = reporter()) {
            reporter.started(run, settings(Mode.BARS, Duration.ofMinutes(1)));
            run.state = RunStats.State.FINISHED;
            reporter.finished(run);
        }
        assertThat(text()).isEmpty();
    }

    @Test
    void eachRunIsShownAsItsOwnSettingsSay() throws Exception {
        FakeRun hidden = new FakeRun();
        FakeRun shown = new FakeRun();
        try (ProgressReporter reporter = reporter()) {
            reporter.started(hidden, settings(Mode.OFF, SOON));
            reporter.started(shown, settings(Mode.LINES, SOON));
            await(() -> text().contains("mapBatches(model)"));
            reporter.finished(hidden);
            assertThat(hidden.asked).isZero();
            assertThat(text()).doesNotContain(SUMMARY);
        }
    }

    @Test
    void withProgressOffThereIsNoThread() {
        FakeRun run = new FakeRun();
        try (ProgressReporter reporter = reporter()) {
            reporter.started(run, settings(Mode.OFF, SOON));
            reporter.finished(run);
            assertThat(run.asked).isZero();
            assertThat(reporter.hasThread()).isFalse();
        }
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("thirty seconds have passed").isLessThan(end);
            Thread.sleep(5);
        }
    }

    private static final class FakeRun implements PlanRun {
        @Override
        public java.util.Optional<java.util.List<dev.millrace.runtime.BlockRef>> takeAsides() {
            return java.util.Optional.empty();
        }

        private volatile RunStats.State state = RunStats.State.RUNNING;
        private volatile int asked;

        @Override
        public BlockSlice next() {
            throw new UnsupportedOperationException();
        }

        @Override
        public RunStats stats() {
            asked = 1;
            return SampleStats.run(state, 2 * SampleStats.SECOND, SampleStats.heldModel());
        }

        @Override
        public RunDetails details() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
