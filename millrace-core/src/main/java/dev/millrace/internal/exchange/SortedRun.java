package dev.millrace.internal.exchange;

import java.util.Arrays;
import java.util.List;

/// A sorted output of a map task.
///
/// @param keys of every `step`th row, from the first on
/// @param kinds what the keys mean; see [dev.millrace.internal.kernel.sort.KeyBytes#kinds]
record SortedRun(byte[][] keys, long step, List<String> kinds) implements MapShards {
    /// How many of the keys are below this one.
    int below(byte[] key) {
        int below = 0;
        int not = keys.length;
        while (below < not) {
            int middle = below + not >>> 1;
            if (Arrays.compareUnsigned(keys[middle], key) < 0) {
                below = middle + 1;
            } else {
                not = middle;
            }
        }
        return below;
    }
}
