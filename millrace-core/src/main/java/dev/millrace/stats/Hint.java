package dev.millrace.stats;

/// A slow pattern that was observed in a run, and what to do instead.
///
/// @param operator the name of the operator
/// @param sentence with the figures that show it: "OnnxModel is built for each batch (12 times in 12 calls of
///     mapBatches(classify), 1.2 s): use Compute.actors, which builds it once per actor."
public record Hint(String operator, Pattern pattern, String sentence) {
    /// What makes a pipeline slow.
    public enum Pattern {
        /// Something that should be created once is created in each call.
        LOADED_IN_EACH_CALL,
        /// Calls with a row or two each.
        SMALL_BATCHES,
        /// Decoding and the like in the threads of actors, while other CPUs are idle.
        PREPARED_IN_ACTORS,
        /// All actors busy, CPUs idle.
        POOL_TOO_SMALL,
        /// Actors that hardly work.
        POOL_TOO_LARGE,
        /// Fewer actors than requested, since there is no room for more.
        POOL_WITHOUT_ROOM,
        /// An object of a class is built in each call, as looks into running calls show.
        BUILT_IN_EACH_CALL,
        /// A task far slower than its siblings.
        SLOW_TASK,
        /// A part of an exchange with most of the rows.
        SKEWED_KEYS,
        /// Many files with a few rows each.
        TINY_FILES,
        /// Actors without work, since what comes before them is slower.
        STARVED,
        /// The same with actors that hold GPUs.
        GPU_IDLE,
        /// CPUs idle while a limit of tasks at once keeps work waiting.
        CONCURRENCY_TOO_LOW,
        /// A limit leaves fewer blocks than a pool has actors.
        LIMIT_SERIALISES,
        /// Far more memory was declared than the process ever took.
        MEMORY_DECLARED_TOO_HIGH,
        /// Blocks were spilled by a plan that only streams.
        SPILLED_WHILE_STREAMING
    }
}
