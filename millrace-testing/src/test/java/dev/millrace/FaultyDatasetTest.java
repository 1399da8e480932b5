package dev.millrace;

import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.testing.Faults;
import dev.millrace.testing.FaultyRuntime;
import dev.millrace.testing.Seeds;
import org.junit.jupiter.api.AfterAll;

/// The suite while workers are lost and events come late: what a dataset says does not depend on luck.
class FaultyDatasetTest extends DatasetSuite {
    private static final long SEED = Seeds.seed();

    @AfterAll
    static void tellTheSeed() {
        System.out.println("FaultyDatasetTest: -Dmillrace.seed=" + SEED);
    }

    @Override
    Runtime newRuntime(Allocator account) {
        return new FaultyRuntime(
                new EmbeddedRuntime(CAPACITY),
                Faults.NONE.withSeed(SEED).withLostTasks(3).withDelays(200));
    }
}
