package dev.millrace.testing;

/// What a [FaultyRuntime] provokes. Zero switches a fault off; the seed decides when and how long.
///
/// @param delayMicros events, grants and cancels come up to this late, those of different tasks in another order
/// @param loseTaskEvery every so many tasks lose their worker, before, between or after their blocks
/// @param killActorEvery after every so many calls the actor of the call dies with all that runs in it
/// @param rowsPerBlock cuts every block into blocks of so many rows
public record Faults(long seed, int delayMicros, int loseTaskEvery, int killActorEvery, int rowsPerBlock) {
    public static final Faults NONE = new Faults(0, 0, 0, 0, 0);

    /// What decides the delays.
    public Faults withSeed(long value) {
        return new Faults(value, delayMicros, loseTaskEvery, killActorEvery, rowsPerBlock);
    }

    /// Events come late, by up to so many microseconds.
    public Faults withDelays(int upToMicros) {
        return new Faults(seed, upToMicros, loseTaskEvery, killActorEvery, rowsPerBlock);
    }

    /// The worker of every so-manieth task is lost; 0: of none.
    public Faults withLostTasks(int every) {
        return new Faults(seed, delayMicros, every, killActorEvery, rowsPerBlock);
    }

    /// An actor dies at every so-manieth call; 0: never.
    public Faults withKilledActors(int every) {
        return new Faults(seed, delayMicros, loseTaskEvery, every, rowsPerBlock);
    }

    /// Blocks are cut to so many rows; 0: they stay as they are.
    public Faults withRowsPerBlock(int rows) {
        return new Faults(seed, delayMicros, loseTaskEvery, killActorEvery, rows);
    }
}
