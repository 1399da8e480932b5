package dev.millrace.testing;

/// Where tests with random values begin.
public final class Seeds {
    private Seeds() {}

    /// `-Dmillrace.seed`, or `MILLRACE_SEED` in the environment, and without them another number each time: a test names
    /// it when it fails.
    public static long seed() {
        String told = System.getProperty("millrace.seed", System.getenv("MILLRACE_SEED"));
        return told == null ? System.nanoTime() : Long.parseLong(told);
    }
}
