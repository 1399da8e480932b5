package dev.millrace.internal.exchange;

import java.io.Serializable;

/// What a map task says of the rows that it emitted. Its [Division] understands it.
public interface Shards extends Serializable {
    /// Rows of each partition, which follow each other.
    record Counted(int[] rows) implements Shards {}
}
