package dev.millrace.checkpoint;

import dev.millrace.Session;
import dev.millrace.internal.commit.FolderTrees;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.testing.Faults;
import dev.millrace.testing.FaultyRuntime;
import dev.millrace.testing.LoopbackRuntime;
import dev.millrace.testing.Seeds;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Resumable writes while workers are lost, and where programs travel as bytes.
class FaultyCheckpointTest extends CheckpointTest {
    private static final long SEED = Seeds.seed();

    @AfterAll
    static void tellTheSeed() {
        System.out.println("FaultyCheckpointTest: -Dmillrace.seed=" + SEED);
    }

    @Override
    Runtime newRuntime(Allocator account) {
        return FaultyRuntime.embedded(
                CAPACITY, Faults.NONE.withSeed(SEED).withLostTasks(3).withDelays(200));
    }

    @Test
    void programsAndFragmentsAsBytes() {
        try (Session loopback = openOn(account -> new LoopbackRuntime(account, CAPACITY))) {
            failsAndResumes(this::staged, loopback);
        }
    }

    @Test
    void lostWorkersAndKilledActorsNeitherDoubleNorLoseRows() throws IOException {
        for (long seed = 0; seed < 3; seed++) {
            Faults faults = Faults.NONE
                    .withSeed(seed)
                    .withDelays(300)
                    .withLostTasks(4)
                    .withKilledActors(13)
                    .withLostNodes(seed == 0 ? 0 : 5);
            try (Session bad = openOn(_ -> FaultyRuntime.embedded(CAPACITY, faults))) {
                failsAndResumes(this::staged, bad);
                FolderTrees.delete(folder.resolve("memory"));
                FolderTrees.delete(folder.resolve("out"));
                failsAndResumes(this::fused, bad);
                FolderTrees.delete(folder.resolve("memory"));
                FolderTrees.delete(folder.resolve("out"));
            }
        }
    }
}
