package dev.millrace;

import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.testing.Faults;
import dev.millrace.testing.FaultyRuntime;
import dev.millrace.testing.Seeds;
import org.junit.jupiter.api.AfterAll;

/// The suite while blocks are lost: they are made again, and no dataset shows it.
class LostNodesDatasetTest extends DatasetSuite {
    private static final long SEED = Seeds.seed();

    @AfterAll
    static void tellTheSeed() {
        System.out.println("LostNodesDatasetTest: -Dmillrace.seed=" + SEED);
    }

    @Override
    Runtime newRuntime(Allocator account) {
        return FaultyRuntime.embedded(
                CAPACITY, Faults.NONE.withSeed(SEED).withLostNodes(3).withDelays(200));
    }

    /// Left out: what an actor counts is not what it counted when its lost block is made again.
    @Override
    public void rowFunctionsWithStateLiveInActors() {}

    /// Left out: where no actor of the pool is left, another one is started to make a lost block again.
    @Override
    public void aFactoryMakesItsObjectOncePerActor() {}

    /// Left out for the same reason.
    @Override
    public void aModelIsMadeOncePerActorAndCalledWithEachGroup() {}
}
