package dev.millrace.testing;

/// What a [FaultyRuntime] provokes. Zero switches a fault off; the seed decides when and how long.
///
/// @param delayMicros events, grants and cancels come up to this late, those of different tasks in another order
/// @param loseTaskEvery every so many tasks lose their worker, before, between or after their blocks
/// @param killActorEvery after every so many calls the actor of the call dies with all that runs in it
/// @param rowsPerBlock cuts every block into blocks of so many rows
public record Faults(long seed, int delayMicros, int loseTaskEvery, int killActorEvery, int rowsPerBlock) {
    public static final Faults NONE = new Faults(0, 0, 0, 0, 0);

    public Faults withSeed(long value) {
        return new Faults(value, delayMicros, loseTaskEvery, killActorEvery, rowsPerBlock);
    }

    public Faults withDelays(int upToMicros) {
        return new Faults(seed, upToMicros, loseTaskEvery, killActorEvery, rowsPerBlock);
    }

    public Faults withLostTasks(int every) {
        return new Faults(seed, delayMicros, every, killActorEvery, rowsPerBlock);
    }

    public Faults withKilledActors(int every) {
        return new Faults(seed, delayMicros, loseTaskEvery, every, rowsPerBlock);
    }

    public Faults withRowsPerBlock(int rows) {
        return new Faults(seed, delayMicros, loseTaskEvery, killActorEvery, rows);
    }
}
