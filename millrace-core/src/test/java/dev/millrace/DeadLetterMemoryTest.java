package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// More rows fail than memory holds: 16 MB of it, and about 40 MB of dead letters.
@Timeout(120)
class DeadLetterMemoryTest {
    private static final long LIMIT = 16L << 20;
    private static final long ROWS = 8_000;

    private final Session session = Session.builder()
            .limits(ResourceLimits.DEFAULT.withSlots(4).withMemory(LIMIT))
            .progress(ProgressSettings.OFF)
            .open();

    @AfterEach
    void theBoundHeld() {
        session.close();
        assertThat(session.allocator().heldBytes()).isZero();
        assertThat(session.allocator().peakBytes()).isLessThanOrEqualTo(LIMIT);
    }

    @Test
    void deadLettersGoToDiskWhileTheRunGoesOn() {
        Dataset kept = session.range(ROWS, 32)
                .map(row -> Row.of("id", row.get("id"), "text", "x".repeat(5_000)))
                .map(
                        row -> {
                            if (row.getLong("id") % 100 != 0) {
                                throw new IllegalStateException("not this one");
                            }
                            return row;
                        },
                        Compute.tasks().onError(ErrorPolicy.deadLetter("failed")));

        assertThat(kept.count()).isEqualTo(ROWS / 100);

        try (MaterializedDataset letters = session.deadLetters("failed")) {
            assertThat(letters.count()).isEqualTo(ROWS - ROWS / 100);
        }
    }
}
