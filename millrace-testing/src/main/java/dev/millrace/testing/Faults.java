package dev.millrace.testing;

import org.jspecify.annotations.Nullable;

/// The faults that a [FaultyRuntime] injects. Zero disables a fault; the seed determines when faults occur and how long
/// delays are.
///
/// @param delayMicros the maximum delay of events, grants and cancels; those of different tasks are reordered
/// @param loseTaskEvery one of this many tasks loses its worker, before, between or after its blocks
/// @param killActorEvery after this many calls the actor of the call dies with all calls that run in it
/// @param rowsPerBlock splits every block into blocks of this many rows
/// @param poison the first task of the first operator with this in its name is lost with its worker at every attempt, a
///     call with its actor; null: none. Other tasks are lost twice at most: the third time would end a run
/// @param losesStarts every start of an actor is lost with its worker
/// @param loseNodeEvery after about this many blocks of tasks, a third of all blocks is lost, and tasks that read one
/// of
///     them fail; the next time after twice as many
public record Faults(
        long seed,
        int delayMicros,
        int loseTaskEvery,
        int killActorEvery,
        int rowsPerBlock,
        @Nullable String poison,
        boolean losesStarts,
        int loseNodeEvery) {
    public static final Faults NONE = new Faults(0, 0, 0, 0, 0, null, false, 0);

    /// The seed of delays and faults.
    public Faults withSeed(long value) {
        return new Faults(
                value, delayMicros, loseTaskEvery, killActorEvery, rowsPerBlock, poison, losesStarts, loseNodeEvery);
    }

    /// Delays events by up to this many microseconds.
    public Faults withDelays(int upToMicros) {
        return new Faults(
                seed, upToMicros, loseTaskEvery, killActorEvery, rowsPerBlock, poison, losesStarts, loseNodeEvery);
    }

    /// Loses the worker of every n-th task; 0: of none.
    public Faults withLostTasks(int every) {
        return new Faults(seed, delayMicros, every, killActorEvery, rowsPerBlock, poison, losesStarts, loseNodeEvery);
    }

    /// Kills an actor at every n-th call; 0: never.
    public Faults withKilledActors(int every) {
        return new Faults(seed, delayMicros, loseTaskEvery, every, rowsPerBlock, poison, losesStarts, loseNodeEvery);
    }

    /// Splits blocks into blocks of this many rows; 0: they are not split.
    public Faults withRowsPerBlock(int rows) {
        return new Faults(seed, delayMicros, loseTaskEvery, killActorEvery, rows, poison, losesStarts, loseNodeEvery);
    }

    /// Loses a task of an operator with this in its name at every attempt.
    public Faults withPoison(String operator) {
        return new Faults(
                seed, delayMicros, loseTaskEvery, killActorEvery, rowsPerBlock, operator, losesStarts, loseNodeEvery);
    }

    /// Loses every actor while it starts.
    public Faults withLostStarts() {
        return new Faults(seed, delayMicros, loseTaskEvery, killActorEvery, rowsPerBlock, poison, true, loseNodeEvery);
    }

    /// Loses a third of the blocks after about this many of them, and later again; 0: never.
    public Faults withLostNodes(int everyBlocks) {
        return new Faults(
                seed, delayMicros, loseTaskEvery, killActorEvery, rowsPerBlock, poison, losesStarts, everyBlocks);
    }
}
