package dev.millrace.memory;

/// Whether use-after-release is checked at every access (`-Dmillrace.checkLifetimes=true`, always on in our tests)
/// or only where a column is taken. A constant, so that the checks cost nothing when off.
public final class Lifetimes {
    /// Whether uses after an end are looked for everywhere; tests do.
    public static final boolean CHECKED = Boolean.getBoolean("millrace.checkLifetimes");

    private Lifetimes() {}
}
