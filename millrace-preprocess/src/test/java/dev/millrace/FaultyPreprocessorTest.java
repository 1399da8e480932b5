package dev.millrace;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.testing.Faults;
import dev.millrace.testing.FaultyRuntime;
import dev.millrace.testing.Seeds;
import org.junit.jupiter.api.AfterAll;

/// While workers are lost and events come late.
class FaultyPreprocessorTest extends PreprocessorSuite {
    private static final long SEED = Seeds.seed();

    @AfterAll
    static void tellTheSeed() {
        System.out.println("FaultyPreprocessorTest: -Dmillrace.seed=" + SEED);
    }

    @Override
    Runtime newRuntime(Allocator account) {
        return FaultyRuntime.embedded(
                DatasetSuite.CAPACITY,
                Faults.NONE.withSeed(SEED).withLostTasks(3).withDelays(200));
    }
}
