package dev.millrace.internal.transform;

import java.io.Serializable;
import java.util.List;

/// Which rows of its input a function over batches gets together.
public sealed interface BatchCut extends Serializable {
    /// @param size rows, or `Compute.WHOLE_BLOCK` (each input block; inside a fused chain what would be a block if the
    ///     steps before it had a task of their own), or `Compute.AUTO` (16 MiB by the first block's bytes per row)
    record Rows(int size) implements BatchCut {}

    /// The rows with equal keys, all of which are in one input block.
    record Groups(List<String> keys) implements BatchCut {
        public Groups {
            keys = List.copyOf(keys);
        }
    }
}
