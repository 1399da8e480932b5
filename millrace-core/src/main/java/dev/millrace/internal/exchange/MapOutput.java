package dev.millrace.internal.exchange;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The output of one map task, as the engine sees it.
///
/// @param shards what the task reported; null if blocks are taken unchanged
public record MapOutput(long rows, long bytes, @Nullable MapShards shards) {
    MapShards requireShards() {
        return Objects.requireNonNull(shards, "the side has a maker, whose tasks tell of their shards");
    }
}
