package dev.millrace.testing;

/// The faults that a [FaultyRuntime] injects. Zero disables a fault; the seed determines when faults occur and how long
/// delays are.
///
/// @param delayMicros the maximum delay of events, grants and cancels; those of different tasks are reordered
/// @param loseTaskEvery one of this many tasks loses its worker, before, between or after its blocks
/// @param killActorEvery after this many calls the actor of the call dies with all calls that run in it
/// @param rowsPerBlock splits every block into blocks of this many rows
public record Faults(long seed, int delayMicros, int loseTaskEvery, int killActorEvery, int rowsPerBlock) {
    public static final Faults NONE = new Faults(0, 0, 0, 0, 0);

    /// The seed of delays and faults.
    public Faults withSeed(long value) {
        return new Faults(value, delayMicros, loseTaskEvery, killActorEvery, rowsPerBlock);
    }

    /// Delays events by up to this many microseconds.
    public Faults withDelays(int upToMicros) {
        return new Faults(seed, upToMicros, loseTaskEvery, killActorEvery, rowsPerBlock);
    }

    /// Loses the worker of every n-th task; 0: of none.
    public Faults withLostTasks(int every) {
        return new Faults(seed, delayMicros, every, killActorEvery, rowsPerBlock);
    }

    /// Kills an actor at every n-th call; 0: never.
    public Faults withKilledActors(int every) {
        return new Faults(seed, delayMicros, loseTaskEvery, every, rowsPerBlock);
    }

    /// Splits blocks into blocks of this many rows; 0: they are not split.
    public Faults withRowsPerBlock(int rows) {
        return new Faults(seed, delayMicros, loseTaskEvery, killActorEvery, rows);
    }
}
