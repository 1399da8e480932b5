package dev.millrace.internal.python;

import dev.millrace.error.MillraceException;
import dev.millrace.iteration.BatchOptions;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// What a Python program asks for: one rank's batches of an epoch.
///
/// @param skip batches at the beginning that are left out
/// @param batchSize 0 for the dataset's own
/// @param shuffle rows of the local shuffle's buffer; 0 for none
/// @param ahead batches that are sent before the first is done
record FeedRequest(
        String dataset,
        int rank,
        int ranks,
        int epoch,
        long skip,
        int batchSize,
        long shuffle,
        long seed,
        boolean dropLast,
        int ahead) {

    /// Names and values in turn, each ended by a zero byte.
    static FeedRequest of(byte[] text) {
        String[] parts = new String(text, StandardCharsets.UTF_8).split("\0", -1);
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i + 1 < parts.length; i += 2) {
            values.put(parts[i], parts[i + 1]);
        }
        FeedRequest request = new FeedRequest(
                values.getOrDefault("dataset", ""),
                (int) number(values, "rank"),
                (int) number(values, "ranks"),
                (int) number(values, "epoch"),
                number(values, "skip"),
                (int) number(values, "batch"),
                number(values, "shuffle"),
                number(values, "seed"),
                number(values, "dropLast") != 0,
                (int) number(values, "ahead"));
        if (request.ranks < 1 || request.rank < 0 || request.rank >= request.ranks) {
            throw MillraceException.user("There is no rank " + request.rank + " of " + request.ranks
                    + ": ranks are numbered from 0, and there are world_size of them.");
        }
        return request;
    }

    private static long number(Map<String, String> values, String name) {
        try {
            return Long.parseLong(values.getOrDefault(name, ""));
        } catch (NumberFormatException _) {
            throw MillraceException.user("A Python program asked for batches with '" + name + "' = '" + values.get(name)
                    + "', which is no integer. Install the package of the same version.");
        }
    }

    /// Each epoch and each rank shuffles differently, and the same one always in the same way.
    BatchOptions options() {
        BatchOptions options = batchSize > 0 ? BatchOptions.of(batchSize) : BatchOptions.defaults();
        if (dropLast) {
            options = options.dropLastShort();
        }
        return shuffle == 0 ? options : options.shuffle(shuffle, seed * 1_000_003 + epoch * 8191L + rank);
    }
}
