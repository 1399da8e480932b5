package dev.millrace.internal.serial;

import java.util.Optional;

/// An object that may contain credentials. It may be shipped to workers of the same program, but must not be written to
/// a file.
public interface Confidential {
    /// What it contains and what to do instead, as sentences; empty if it contains no credentials.
    Optional<String> confidence();
}
