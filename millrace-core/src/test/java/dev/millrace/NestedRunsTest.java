package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Functions that consume a dataset of their own session, on as many slots as there are such functions at once.
@Timeout(60)
class NestedRunsTest {
    private static Session open(int slots) {
        return Session.builder()
                .limits(ResourceLimits.DEFAULT.withSlots(slots).withMemory(64 << 20))
                .progress(ProgressSettings.OFF)
                .open();
    }

    /// By a run, not from what a source knows.
    private static long counted(Session session, long id) {
        return session.range(id + 1, 3).filter(row -> row.getLong("id") >= 0).count();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aFunctionMayConsumeADatasetOfItsSession(int slots) {
        try (Session session = open(slots)) {
            List<Row> rows = session.range(8, 8)
                    .map(row -> Row.of("n", counted(session, row.getLong("id"))))
                    .takeAll();
            assertThat(rows).extracting(row -> row.getLong("n")).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
            assertThat(session.allocator().heldBytes()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void soMayAnActor(int slots) {
        try (Session session = open(slots)) {
            long sum = session.range(40, 8)
                    .mapBatches(
                            () -> batch -> batch.mapLongs("id", id -> counted(session, id)),
                            Compute.actors(slots).batchSize(5))
                    .sum("id")
                    .longValue();
            assertThat(sum).isEqualTo(41 * 20);
            assertThat(session.allocator().heldBytes()).isZero();
        }
    }
}
