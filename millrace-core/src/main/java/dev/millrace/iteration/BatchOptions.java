package dev.millrace.iteration;

import dev.millrace.error.MillraceException;
import dev.millrace.settings.IterationSettings;

/// How batches are cut from a dataset for its consumer: `BatchOptions.of(64).dropLastShort().shuffle(10_000, 7)`. Unset
/// values come from the dataset's [IterationSettings].
///
/// @param batchSize rows per batch, or [#WHOLE_BLOCK]; 0: not set
/// @param prefetch batches made ahead of the consumer; -1: not set
/// @param dropLast drop a last batch that is not full
/// @param shuffleRows rows of the buffer from which each batch is drawn at random; 0: no shuffle
/// @param seed of the shuffle
/// @param copied each batch is a copy that stays valid, see [#copies]
public record BatchOptions(int batchSize, int prefetch, boolean dropLast, long shuffleRows, long seed, boolean copied) {
    /// A batch size: the rows of each block, as it is.
    public static final int WHOLE_BLOCK = -1;

    private static final BatchOptions DEFAULTS = new BatchOptions(0, -1, false, 0, 0, false);

    public BatchOptions {
        if (batchSize == WHOLE_BLOCK && shuffleRows > 0) {
            throw MillraceException.user("iterBatches: a local shuffle draws batches of some number of rows, and whole"
                    + " blocks have none: give a batch size, or leave the shuffle out.");
        }
    }

    /// The dataset's settings.
    public static BatchOptions defaults() {
        return DEFAULTS;
    }

    /// Batches of `rows` rows.
    public static BatchOptions of(int rows) {
        return DEFAULTS.batchSize(rows);
    }

    /// Each block as one batch, without a copy. Blocks are as large as the dataset's
    /// [dev.millrace.settings.BlockSettings] and its verbs make them; empty ones are left out. No batch counts as
    /// short, and a local shuffle is an error.
    public static BatchOptions wholeBlocks() {
        return new BatchOptions(
                WHOLE_BLOCK, DEFAULTS.prefetch, DEFAULTS.dropLast, DEFAULTS.shuffleRows, DEFAULTS.seed, false);
    }

    /// Rows of a batch; the last may have fewer.
    public BatchOptions batchSize(int rows) {
        if (rows < 1) {
            throw MillraceException.user("iterBatches: the batch size must be 1 or more rows, not " + rows
                    + ". BatchOptions.wholeBlocks() gives blocks as they are.");
        }
        return new BatchOptions(rows, prefetch, dropLast, shuffleRows, seed, copied);
    }

    /// Makes this many batches ahead on another thread. Blocks are computed ahead of the consumer in any case.
    public BatchOptions prefetch(int batches) {
        if (batches < 0) {
            throw MillraceException.user("iterBatches: prefetch must be 0 or more batches, not " + batches + ".");
        }
        return new BatchOptions(batchSize, batches, dropLast, shuffleRows, seed, copied);
    }

    /// Drops the last batch if it is short.
    public BatchOptions dropLastShort() {
        return new BatchOptions(batchSize, prefetch, true, shuffleRows, seed, copied);
    }

    /// Draws the rows of each batch at random from a buffer of at least `bufferRows` rows; the same seed over the same
    /// blocks gives the same batches.
    public BatchOptions shuffle(long bufferRows, long withSeed) {
        if (bufferRows < 1) {
            throw MillraceException.user(
                    "iterBatches: the shuffle buffer must be 1 or more rows, not " + bufferRows + ".");
        }
        return new BatchOptions(batchSize, prefetch, dropLast, bufferRows, withSeed, copied);
    }

    /// Each batch is a copy that belongs to the caller and stays valid as long as it is referenced, also after the
    /// iteration and the session are closed: batches can be collected in a list. Without it a batch ends with the next.
    ///
    /// A copy is in memory that the garbage collector frees; nobody closes it. It is outside of the session's memory
    /// limit: the JVM counts it as direct memory and bounds it (`-XX:MaxDirectMemorySize`, by default the largest
    /// heap), and more than that is an error.
    public BatchOptions copies() {
        return new BatchOptions(batchSize, prefetch, dropLast, shuffleRows, seed, true);
    }

    /// The rows of a batch, if they are given and blocks of as many would be batches as they are; 0 otherwise.
    public long knownRows() {
        return shuffleRows > 0 ? 0 : Math.max(0, batchSize);
    }

    /// These options with unset values replaced.
    public BatchOptions or(IterationSettings settings) {
        return new BatchOptions(
                batchSize == 0 ? settings.batchSize() : batchSize,
                prefetch < 0 ? settings.prefetchBatches() : prefetch,
                dropLast,
                shuffleRows,
                seed,
                copied);
    }
}
