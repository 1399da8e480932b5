package dev.millrace;

import static dev.millrace.Behaviour.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.Compute;
import dev.millrace.function.BatchFunction;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.LoopbackRuntime;
import org.junit.jupiter.api.Test;

/// The suite on a runtime that sends programs and blocks through bytes.
class LoopbackDatasetTest extends DatasetSuite {
    @Override
    Runtime newRuntime(Allocator account) {
        return new LoopbackRuntime(account, CAPACITY);
    }

    @Test
    void aFunctionThatCannotTravelIsNamedWithWhatItCaptured() {
        Object lock = new Object();
        BatchFunction captures = batch -> {
            synchronized (lock) {
                return batch;
            }
        };
        try (Session embedded = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThat(embedded.range(3).mapBatches(captures).takeAll()).hasSize(3);
        }
        assertError(() ->
                        session().range(3).mapBatches(captures, Compute.tasks().name("locked")))
                .hasMessageStartingWith("locked captures '")
                .hasMessageContaining("(java.lang.Object), which is not serialisable.");
    }
}
