package dev.millrace.error;

/// Who has to act on an error. Every [MillraceException] names one.
public enum Culprit {
    /// The program that called us: an argument, a plan, a function that threw or returned something wrong.
    USER,
    /// The data: a corrupt file, a value out of range, a schema clash between files.
    DATA,
    /// The machine or the cluster: memory, disk, resources that are not there.
    RESOURCES,
    /// Millrace itself: a broken invariant. Always a bug of ours.
    INTERNAL
}
