package dev.millrace.internal.cluster.code;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// What a worker asks of a driver about its code. Calls block until the answer is there; thread-safe.
public interface CodeSupply {
    /// The name of attachments that are messages about code.
    String ATTACHMENT = "code";

    /// The largest part of an entry that one call returns.
    int PART_BYTES = 1 << 20;

    /// The content of an entry of the index, which is hashed at the first question.
    ///
    /// @throws IOException when it can no longer be read, or the driver is gone
    CodeContent content(int entry) throws IOException;

    /// Bytes of the content from a position on: at least one and at most [#PART_BYTES], or none at the end.
    byte[] part(int entry, long offset) throws IOException;

    /// A class or another resource by its path, such as `com/acme/Job.class`, that the driver's class loader finds
    /// though its class path does not have it: programs that are started from their source are compiled to memory.
    byte @Nullable [] find(String path) throws IOException;
}
