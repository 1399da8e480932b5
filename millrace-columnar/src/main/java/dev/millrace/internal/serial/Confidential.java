package dev.millrace.internal.serial;

import java.util.Optional;

/// What may hold credentials. It is shipped to workers of its own program, and written to no file.
public interface Confidential {
    /// What it holds and what to do instead, as sentences; empty if there is nothing to keep.
    Optional<String> confidence();
}
