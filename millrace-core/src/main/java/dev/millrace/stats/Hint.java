package dev.millrace.stats;

/// Something slow that a run was seen to do, and what to do instead.
///
/// @param operator the name of the operator
/// @param sentence with the figures that show it: "OnnxModel is built for each batch (12 times in 12 calls of
///     mapBatches(classify), 1.2 s): use Compute.actors, which builds it once per actor."
public record Hint(String operator, Pattern pattern, String sentence) {
    /// What makes a pipeline slow.
    public enum Pattern {
        /// What should be made once is made in each call.
        LOADED_IN_EACH_CALL,
        /// Calls with a row or two each.
        SMALL_BATCHES,
        /// Decoding and the like done by the threads of actors, while others have nothing to do.
        PREPARED_IN_ACTORS,
        /// All actors busy, CPUs idle.
        POOL_TOO_SMALL,
        /// Actors that hardly work.
        POOL_TOO_LARGE,
        /// Fewer actors than were asked for, since there is no room for more.
        POOL_WITHOUT_ROOM
    }
}
