package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.internal.consume.SessionExecutions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.settings.ProgressSettings;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// Materialised datasets that their program forgot: freed when nobody can use them, and told at the session's end.
class UnclosedDatasetsTest {
    private static final long ROWS = 100_000;

    private static Session open() {
        return Session.builder().progress(ProgressSettings.OFF).open();
    }

    private static void collectUntil(BooleanSupplier done) throws InterruptedException {
        for (int i = 0; i < 200 && !done.getAsBoolean(); i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(done.getAsBoolean()).isTrue();
    }

    private static boolean isEmpty(Session session) {
        return session.allocator().heldBytes() == 0;
    }

    @Test
    void aDatasetThatNobodyHoldsIsFreed() throws InterruptedException {
        try (Session session = open()) {
            assertThat(session.range(ROWS).materialize().count()).isEqualTo(ROWS);
            collectUntil(() -> isEmpty(session));
        }
    }

    @Test
    void aDatasetMadeFromItKeepsItsBlocks() throws InterruptedException {
        try (Session session = open()) {
            Dataset derived = derived(session);
            for (int i = 0; i < 3; i++) {
                System.gc();
                Thread.sleep(20);
            }
            assertThat(isEmpty(session)).isFalse();
            assertThat(derived.count()).isEqualTo(2 * ROWS);
            derived = null;
            collectUntil(() -> isEmpty(session));
        }
    }

    private static Dataset derived(Session session) {
        Dataset kept = session.range(ROWS).materialize();
        return kept.union(session.range(ROWS).materialize()).filter(row -> row.getLong("id") >= 0);
    }

    @Test
    void anIteratorKeepsItsBlocksToItsEnd() throws InterruptedException {
        try (Session session = open()) {
            assertThat(iterated(session)).isEqualTo(ROWS);
            collectUntil(() -> isEmpty(session));
        }
    }

    private static long iterated(Session session) throws InterruptedException {
        try (CloseableIterator<Batch> batches =
                session.range(ROWS).materialize().iterBatches(1000)) {
            long rows = batches.next().rows();
            for (int i = 0; i < 3; i++) {
                System.gc();
                Thread.sleep(20);
            }
            while (batches.hasNext()) {
                rows += batches.next().rows();
            }
            return rows;
        }
    }

    @Test
    void aSessionThatEndsSaysWhichWereNeverClosedAndWhereTheyWereMade() {
        StringBuilder logged = new StringBuilder();
        Logger logger = Logger.getLogger(SessionExecutions.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord said) {
                logged.append(said.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        try {
            MaterializedDataset forgotten;
            try (Session session = open()) {
                forgotten = session.range(10).materialize();
                session.range(20).materialize().close();
                session.range(0).materialize();
            }
            assertThat(logged.toString())
                    .matches("The session ends and frees 1 dataset that was materialised and never closed: 'Range'?.*"
                            + " at UnclosedDatasetsTest:\\d+ \\(\\d+ bytes\\)\\. close\\(\\) or try-with-resources"
                            + " frees it earlier\\.");
            forgotten.close();
            logged.setLength(0);
            try (Session session = open();
                    MaterializedDataset closed = session.range(10).materialize()) {
                assertThat(closed.count()).isEqualTo(10);
            }
            assertThat(logged.toString()).isEmpty();
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
    }
}
