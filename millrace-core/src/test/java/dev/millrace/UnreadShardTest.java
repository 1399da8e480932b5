package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.AtOnce;
import dev.millrace.testing.LoggedLines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Shards of a split that nobody reads are named to those who wait for them.
@Timeout(60)
class UnreadShardTest {
    private final Session session = Session.builder()
            .progress(ProgressSettings.OFF)
            .faults(FaultSettings.DEFAULT.withStallTimeout(Duration.ofSeconds(1)))
            .open();

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void aShardThatNeverAsksIsAnErrorForTheOthersAfterAWarning() {
        List<Shard> shards = session.range(100, 4).streamingSplit(3);
        shards.get(2).close();
        try (LoggedLines log = new LoggedLines("dev.millrace.internal.consume.StreamingSplit")) {
            CloseableIterator<Row> rows = shards.get(0).iterRows();

            assertThatThrownBy(rows::hasNext)
                    .isInstanceOf(MillraceException.class)
                    .hasMessageStartingWith(
                            "streamingSplit: shard 0 waits for the next epoch, for which shard 1 has not"
                                    + " asked; nothing was read there for 1.")
                    .hasMessageEndingWith(
                            " s. Read every shard, each on a thread of its own, and close those that nobody reads.");
            assertThat(log.messages()).singleElement().asString().contains("for which shard 1 has not asked");
        }
        // Who closes what nobody reads goes on.
        shards.get(1).close();
        assertThat(shards.get(0).iterRows().stream()).hasSize(100);
    }

    @Test
    void aShardThatIsReadSlowlyIsWaitedFor() throws Exception {
        // Longer than the stall timeout in all, and far shorter from row to row.
        try (Session patient = Session.builder()
                .progress(ProgressSettings.OFF)
                .faults(FaultSettings.DEFAULT.withStallTimeout(Duration.ofMillis(2500)))
                .open()) {
            readOneSlowly(patient.range(100, 10).streamingSplit(2, true));
        }
    }

    private static void readOneSlowly(List<Shard> shards) throws Exception {
        FutureTask<Integer> slow = new FutureTask<>(() -> {
            int read = 0;
            for (int epoch = 0; epoch < 2; epoch++) {
                for (CloseableIterator<Row> rows = shards.get(1).iterRows(); rows.hasNext(); read++) {
                    rows.next();
                    Thread.sleep(epoch == 0 ? 60 : 0);
                }
            }
            return read;
        });
        Thread.ofVirtual().start(slow);
        int read = 0;
        for (int epoch = 0; epoch < 2; epoch++) {
            for (CloseableIterator<Row> rows = shards.get(0).iterRows(); rows.hasNext(); read++) {
                rows.next();
            }
        }

        assertThat(read).isEqualTo(100);
        assertThat(AtOnce.result(slow)).isEqualTo(100);
    }

    @Test
    void aShardThatStopsReadingInEqualPartsIsNamed() throws Exception {
        List<Shard> shards = session.range(100_000, 100).streamingSplit(2, true);
        FutureTask<Boolean> other =
                new FutureTask<>(() -> shards.get(1).iterRows().hasNext());
        Thread.ofVirtual().start(other);
        CloseableIterator<Row> rows = shards.get(0).iterRows();
        assertThat(rows.hasNext()).isTrue();
        assertThat(AtOnce.result(other)).isTrue();

        assertThatThrownBy(() -> rows.forEachRemaining(_ -> {}))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("made no progress for 1.0 s")
                .hasMessageContaining("shard 1 does not take the ")
                .hasMessageContaining(
                        ". Read every shard, each on a thread of its own, and close those that nobody reads.");
    }
}
