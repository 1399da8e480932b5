package dev.millrace.internal.progress;

import static dev.millrace.internal.stats.SampleStats.SECOND;
import static dev.millrace.internal.stats.SampleStats.finishedRead;
import static dev.millrace.internal.stats.SampleStats.heldModel;
import static dev.millrace.internal.stats.SampleStats.progress;
import static dev.millrace.internal.stats.SampleStats.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.internal.stats.SampleStats;
import dev.millrace.stats.FileStats;
import dev.millrace.stats.Hint;
import dev.millrace.stats.OperatorStats;
import dev.millrace.stats.RunStats;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressTextTest {
    private static final OperatorStats HELD = heldModel();

    @Test
    void aBarPerOperatorFitsTheWidth() {
        RunStats stats = run(RunStats.State.RUNNING, 10 * SECOND, finishedRead(), HELD);

        assertThat(ProgressText.bars(stats, 110, true))
                .containsExactly(
                        "trips: 10 s, 12 s left, memory 0 B",
                        "  range -> map(fare)            ██████████████████████████████ 100 % 1,000 rows, 100 rows/s",
                        "  mapBatches(model) at Trips:12 █████████████░░░░░░░░░░░░░░░░░ 45 %  12.3 M rows, 1.23 M rows/s",
                        "    backpressure by DownstreamCapacity: 40 MiB wait for the writer, at most 20 MiB");
    }

    @Test
    void aNarrowTerminalGetsNoBars() {
        RunStats stats = run(RunStats.State.RUNNING, 10 * SECOND, finishedRead(), HELD);

        assertThat(ProgressText.bars(stats, 50, false))
                .containsExactly(
                        "trips: 10 s, 12 s left, memory 0 B",
                        "  range -> map(f.. 100 % 1,000 rows, 100 rows/s",
                        "  mapBatches(mod.. 45 %  12.3 M rows, 1.23 M row..",
                        "    backpressure by DownstreamCapacity: 40 MiB w..");
        for (int width = 0; width < 120; width++) {
            int most = width;
            assertThat(ProgressText.bars(stats, width, true)).allMatch(line -> line.length() <= most);
        }
    }

    @Test
    void aWideTerminalShowsLongNamesWholeBesideWholeBars() {
        String name = "join inner(zone = zone_2) -> select(fare, zone0, fare0) -> filter(fare > 10)";
        RunStats stats = run(
                RunStats.State.RUNNING,
                10 * SECOND,
                progress(finishedRead(), name, 12_345_678, OptionalLong.of(27_400_000)));
        assertThat(ProgressText.bars(stats, 199, true).get(1)).contains(name, "█████████████░░░░░░░░░░░░░░░░░ ");
        assertThat(ProgressText.bars(stats, 79, true).get(1))
                .startsWith("  join inner(zone = zone_2)… █")
                .contains("12.3 M rows")
                .hasSizeLessThan(80);
    }

    @Test
    void aLineHasRowsShareRateTimeLeftAndWhatHolds() {
        OperatorStats first = progress(HELD, "range -> map", 12_345_678, OptionalLong.of(27_400_000));

        assertThat(ProgressText.line(run(RunStats.State.RUNNING, 4 * SECOND, first)))
                .isEqualTo("range -> map: 12.3 M rows, 45 %, 3.09 M rows/s, 5 s left; "
                        + "backpressure by DownstreamCapacity: 40 MiB wait for the writer, at most 20 MiB");
    }

    @Test
    void aLineLeavesOutWhatIsFinishedOrUnknown() {
        OperatorStats unknown = new OperatorStats(
                "csv",
                "Trips:3",
                1,
                3,
                0,
                0,
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                0,
                0,
                Optional.of(FileStats.NONE),
                Optional.empty(),
                3,
                30,
                30,
                HELD.wall(),
                HELD.cpu(),
                HELD.rowsPerBlock(),
                HELD.bytesPerBlock(),
                HELD.queueWait(),
                Map.of("ResourceBudget", SECOND),
                "ResourceBudget",
                "needs 130 MiB, 20 MiB left",
                0,
                0,
                0,
                0,
                false,
                Map.of());

        assertThat(ProgressText.line(run(RunStats.State.RUNNING, 4 * SECOND, finishedRead(), unknown)))
                .isEqualTo("csv at Trips:3: 30 rows, 7.5 rows/s");
    }

    @Test
    void hintsAreShownInFull() {
        Hint hint =
                new Hint("mapBatches(model)", Hint.Pattern.POOL_TOO_SMALL, "1 actor was busy while 1 CPU was idle.");
        RunStats stats = SampleStats.with(run(RunStats.State.RUNNING, 10 * SECOND, HELD), hint);

        assertThat(ProgressText.bars(stats, 40, true))
                .endsWith("    hint: 1 actor was busy while 1 CPU", "          was idle.");
        assertThat(ProgressText.line(stats)).endsWith("; hint: 1 actor was busy while 1 CPU was idle.");
        assertThat(ProgressText.summary(stats)).endsWith("\n  hint: 1 actor was busy while 1 CPU was idle.");
    }

    @Test
    void theEndOfARunIsOneLine() {
        assertThat(ProgressText.summary(run(RunStats.State.FINISHED, 2 * SECOND, finishedRead())))
                .isEqualTo(
                        "trips: finished in 2 s, 2,000 rows in, 1,000 out (7.81 KiB), 1 k rows/s, peak memory 128 MiB");
    }
}
