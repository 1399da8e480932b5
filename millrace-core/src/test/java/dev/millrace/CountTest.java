package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Counting leaves the rows where they are made: only their number travels.
class CountTest {
    @Test
    void countingRowsOfAFunctionMovesNoneOfThem() {
        try (Session session = Session.open()) {
            Dataset rows = session.range(10_000).flatMap(row -> List.of(Row.of("text", "row " + row.getLong("id"))));

            assertThat(rows.count()).isEqualTo(10_000);
            assertThat(rows.lastRun().orElseThrow().outputBytes()).isZero();
        }
    }

    @Test
    void rowsThatAPoolMakesAreCountedTheSameWay() {
        try (Session session = Session.open()) {
            Dataset rows = session.range(10_000)
                    .mapBatches(() -> batch -> batch, Compute.actors(1).batchSize(1000))
                    .flatMap(row -> List.of(row, row));

            assertThat(rows.count()).isEqualTo(20_000);
            assertThat(rows.lastRun().orElseThrow().outputBytes()).isZero();
        }
    }
}
