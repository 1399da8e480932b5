package dev.millrace.internal.recovery;

import dev.millrace.runtime.BlockSlice;

/// One input of a task, as its recipe keeps it.
sealed interface RecipeInput {
    /// Rows of the output of another task, counted over all of its blocks: by row, for where blocks are cut depends on
    /// the memory that was available.
    record Made(TaskRecipe maker, long from, long rows) implements RecipeInput {}

    /// Rows of a block that no task made: held, since nothing could make it again. It is in this process and never
    /// lost.
    record Kept(BlockSlice slice) implements RecipeInput {}
}
