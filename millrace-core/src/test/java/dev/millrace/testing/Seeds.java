package dev.millrace.testing;

/// Where tests with random values begin.
public final class Seeds {
    private Seeds() {}

    /// `-Dmillrace.seed`, and without it another number each time: a test names it when it fails.
    public static long seed() {
        return Long.getLong("millrace.seed", System.nanoTime());
    }
}
