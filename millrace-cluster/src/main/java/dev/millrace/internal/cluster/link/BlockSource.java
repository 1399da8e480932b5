package dev.millrace.internal.cluster.link;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;

/// The blocks that one side serves. Thread-safe.
public interface BlockSource {
    /// The block was lost, or is about to be: whoever asks may have it made again.
    final class BlockGone extends MillraceException {
        private static final long serialVersionUID = 1L;

        public BlockGone(String sentence) {
            super(Culprit.RESOURCES, sentence);
        }
    }

    /// Rows of a block, which the caller closes.
    ///
    /// @throws BlockGone if it was lost
    /// @throws RuntimeException if there is no such block: its message goes to the other side
    Block rows(long number, long from, long rows);
}
