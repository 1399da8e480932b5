package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.FunctionContext;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.ProgressSettings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FunctionCountersTest {
    private static final AtomicInteger FAILURES = new AtomicInteger();

    private static Session session() {
        return Session.builder().progress(ProgressSettings.OFF).open();
    }

    @Test
    void countersOfFunctionsAppearInStats() {
        try (Session session = session()) {
            Dataset rows = session.range(100, 4)
                    .mapBatches(batch -> {
                        FunctionContext.current().count("tokens", 3 * batch.rows());
                        return batch;
                    })
                    .map(row -> {
                        FunctionContext.current().count("rowsSeen", 1);
                        return row;
                    });
            assertThat(rows.count()).isEqualTo(100);
            assertThat(rows.lastRun().orElseThrow().operators().getFirst().counters())
                    .containsEntry("tokens", 300L)
                    .containsEntry("rowsSeen", 100L);
            assertThat(rows.stats()).containsPattern("tokens +300\n").containsPattern("rows seen +100\n");
        }
    }

    @Test
    void theyCountInActorsToo() {
        try (Session session = session()) {
            Dataset rows = session.range(100, 4)
                    .mapBatches(
                            () -> (BatchFunction) batch -> {
                                FunctionContext.current().count("tokens", batch.rows());
                                return batch;
                            },
                            Compute.actors(2).batchSize(10));
            assertThat(rows.count()).isEqualTo(100);
            assertThat(rows.lastRun().orElseThrow().operators().getLast().counters())
                    .containsEntry("tokens", 100L);
        }
    }

    @Test
    void anAttemptThatFailsAndIsMadeAgainCountsOnce() {
        FAILURES.set(1);
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .faults(FaultSettings.DEFAULT.withUserRetries(2, List.of("first attempt")))
                .open()) {
            Dataset rows = session.range(10, 1).mapBatches(batch -> {
                FunctionContext.current().count("tokens", batch.rows());
                if (FAILURES.getAndDecrement() > 0) {
                    throw new IllegalStateException("the first attempt");
                }
                return batch;
            });
            assertThat(rows.count()).isEqualTo(10);
            assertThat(rows.lastRun().orElseThrow().operators().getFirst().counters())
                    .containsEntry("tokens", 10L);
        }
    }

    @Test
    void namesOfMillracesOwnCountersAreRefused() {
        try (Session session = session()) {
            assertThatThrownBy(() -> session.range(10)
                            .mapBatches(batch -> {
                                FunctionContext.current().count("rowsIn", 1);
                                return batch;
                            })
                            .count())
                    .hasStackTraceContaining("A function counts 'rowsIn', a name that Millrace's own counters have."
                            + " Choose another one.");
        }
    }

    @Test
    void outsideOfACallNothingIsCounted() {
        FunctionContext.current().count("tokens", 1);
    }
}
