package dev.millrace.internal.lifetime;

/// Whether use-after-release is checked at every access (`-Dmillrace.checkLifetimes=true`, always on in our tests) or
/// only where a column is obtained. A constant, so that the checks cost nothing when off.
public final class Lifetimes {
    /// Whether every access checks for use after release; on in tests.
    public static final boolean CHECKED = Boolean.getBoolean("millrace.checkLifetimes");

    private Lifetimes() {}
}
