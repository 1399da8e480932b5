package dev.millrace.internal.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.stats.Hint;
import dev.millrace.stats.RunStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatsTextTest {
    @Test
    void aFinishedRunIsShownInRoundNumbers() {
        RunStats run = SampleStats.run(RunStats.State.FINISHED, 55 * SampleStats.MILLI, SampleStats.finishedRead());

        assertThat(StatsText.format(run)).isEqualTo("""
                        trips: finished in 55 ms, 2,000 rows in, 1,000 out (7.81 KiB), 36.4 k rows/s, peak memory 128 MiB

                        1. range -> map(fare)
                           tasks         4 finished
                           input         2,000 rows, 15.6 KiB
                           output        4 blocks, 1,000 rows, 7.81 KiB
                           throughput    36.4 k rows/s, 259 k rows/s in one task
                           block rows    250 min, 250 max, 250 mean
                           block size    1.95 KiB min, 1.95 KiB max, 1.95 KiB mean
                           wall time     1.77 ms min, 2.17 ms max, 1.93 ms mean, 7.71 ms total
                           CPU time      1.86 ms min, 2.2 ms max, 2.01 ms mean, 8.03 ms total
                           functions     3.19 ms (41 % of wall time)
                           peak memory   16 KiB
                        """);
    }

    @Test
    void aRunningOperatorShowsWhatHoldsItAndWhatIsStillToDo() {
        RunStats run = SampleStats.run(
                RunStats.State.RUNNING, 10 * SampleStats.SECOND, SampleStats.finishedRead(), SampleStats.heldModel());

        assertThat(StatsText.format(run))
                .contains(
                        "trips: running for 10 s, 2,000 rows in, 12.3 M out (200 MiB), 1.23 M rows/s, peak memory 128 MiB\n")
                .contains("1. range -> map(fare)\n")
                .endsWith("""
                        2. mapBatches(model) at Trips:12 (running)
                           tasks         45 finished, 2 running, 1 failed, of 100
                           input         12.6 M rows, 100 MiB
                           output        45 blocks, 12.3 M rows, 200 MiB
                           throughput    1.26 M rows/s, 2.52 M rows/s in one task
                           block rows    200,000 min, 300,000 max, 274,348 mean
                           block size    4 MiB min, 5 MiB max, 4.44 MiB mean
                           wall time     90 ms min, 140 ms max, 111 ms mean, 5 s total
                           CPU time      80 ms min, 130 ms max, 88.9 ms mean, 4 s total
                           retries       1
                           functions     4.5 s (90 % of wall time)
                           queue wait    0 ns min, 30 ms max, 10 ms mean
                           backpressure  4 s by DownstreamCapacity (what comes after it is slower), 300 ms by ResourceBudget \
                        (its share of memory for blocks is used); now by DownstreamCapacity: 40 MiB wait for the writer, at most 20 MiB
                           actors        2
                           peak memory   256 MiB
                        """);
    }

    @Test
    void aWriteShowsRowsFilesAndBytesOfBothEnds() {
        RunStats run = SampleStats.run(RunStats.State.CANCELLED, SampleStats.SECOND, SampleStats.stoppedWrite());

        assertThat(StatsText.format(run)).isEqualTo("""
                        trips: cancelled after 1 s, 1,000 rows in (2 files of 2.93 KiB), 500 rows written to 1 file (1 KiB), \
                        1 k rows/s, peak memory 128 MiB

                        1. CSV(trips) -> map(Trips:7) -> write(Parquet(out)) at Trips:6, Trips:9
                           tasks         2 stopped early
                           input         1,000 rows, 7.81 KiB, from 2 files of 2.93 KiB
                           written       500 rows to 1 file, 1 KiB
                           throughput    1 k rows/s
                           peak memory   0 B
                        """);
    }

    @Test
    void theGuideExplainsEveryPolicyInTheSameWords() throws IOException {
        Path guide = Path.of(System.getProperty("millrace.root", ".."), "docs", "guide", "measuring.md");
        String page = Files.readString(guide);

        assertThat(PolicyWords.all())
                .hasSize(6)
                .allSatisfy((policy, words) -> assertThat(page).contains("| `" + policy + "` | " + words + " |"));
    }

    @Test
    void hintsStandBelowTheirOperator() {
        RunStats run = SampleStats.with(
                SampleStats.run(RunStats.State.FINISHED, 55 * SampleStats.MILLI, SampleStats.finishedRead()),
                new Hint("range -> map(fare)", Hint.Pattern.SMALL_BATCHES, "Batches of 1 row."));

        assertThat(StatsText.format(run)).endsWith("   peak memory   16 KiB\n   hint          Batches of 1 row.\n");
    }

    @Test
    void aRunOfNothingDividesByNothing() {
        RunStats run = new RunStats("empty", RunStats.State.FAILED, 0, List.of(), 0, 0, 0, 0);

        assertThat(StatsText.format(run)).isEqualTo("empty: failed after 0 ns, 0 rows (0 B), peak memory 0 B\n");
    }
}
