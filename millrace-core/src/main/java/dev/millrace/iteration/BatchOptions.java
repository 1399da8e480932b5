package dev.millrace.iteration;

import dev.millrace.error.MillraceException;
import dev.millrace.settings.IterationSettings;

/// How batches are cut from a dataset for its consumer: `BatchOptions.of(64).dropLastShort().shuffle(10_000, 7)`. Unset
/// values come from the session's [IterationSettings].
///
/// @param batchSize rows per batch; 0: not set
/// @param prefetch batches made ahead of the consumer; -1: not set
/// @param dropLast drop a last batch that is not full
/// @param shuffleRows rows of the buffer from which each batch is drawn at random; 0: no shuffle
/// @param seed of the shuffle
public record BatchOptions(int batchSize, int prefetch, boolean dropLast, long shuffleRows, long seed) {
    private static final BatchOptions DEFAULTS = new BatchOptions(0, -1, false, 0, 0);

    /// The session's settings.
    public static BatchOptions defaults() {
        return DEFAULTS;
    }

    /// Batches of `rows` rows.
    public static BatchOptions of(int rows) {
        return DEFAULTS.batchSize(rows);
    }

    /// Rows of a batch; the last may have fewer.
    public BatchOptions batchSize(int rows) {
        if (rows < 1) {
            throw MillraceException.user("iterBatches: the batch size must be 1 or more rows, not " + rows + ".");
        }
        return new BatchOptions(rows, prefetch, dropLast, shuffleRows, seed);
    }

    /// Makes this many batches ahead on another thread. Blocks are computed ahead of the consumer in any case.
    public BatchOptions prefetch(int batches) {
        if (batches < 0) {
            throw MillraceException.user("iterBatches: prefetch must be 0 or more batches, not " + batches + ".");
        }
        return new BatchOptions(batchSize, batches, dropLast, shuffleRows, seed);
    }

    /// Drops the last batch if it is short.
    public BatchOptions dropLastShort() {
        return new BatchOptions(batchSize, prefetch, true, shuffleRows, seed);
    }

    /// Draws the rows of each batch at random from a buffer of at least `bufferRows` rows; the same seed over the same
    /// blocks gives the same batches.
    public BatchOptions shuffle(long bufferRows, long withSeed) {
        if (bufferRows < 1) {
            throw MillraceException.user(
                    "iterBatches: the shuffle buffer must be 1 or more rows, not " + bufferRows + ".");
        }
        return new BatchOptions(batchSize, prefetch, dropLast, bufferRows, withSeed);
    }

    /// These options with unset values replaced.
    public BatchOptions or(IterationSettings settings) {
        return new BatchOptions(
                batchSize == 0 ? settings.batchSize() : batchSize,
                prefetch < 0 ? settings.prefetchBatches() : prefetch,
                dropLast,
                shuffleRows,
                seed);
    }
}
