package dev.millrace.testing;

/// Where tests with random values begin.
public final class Seeds {
    private Seeds() {}

    /// `-Dmillrace.seed`, or `MILLRACE_SEED` in the environment: a number, or `random` for another one each time, which
    /// a test names when it fails. Without them always the same: one commit has one result.
    public static long seed() {
        String told = System.getProperty("millrace.seed", System.getenv("MILLRACE_SEED"));
        if (told == null) {
            return 1;
        }
        return told.equals("random") ? System.nanoTime() : Long.parseLong(told);
    }
}
