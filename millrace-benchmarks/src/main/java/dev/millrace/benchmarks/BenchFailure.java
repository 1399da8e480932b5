package dev.millrace.benchmarks;

/// A measurement that failed; the message is a sentence for the user.
public final class BenchFailure extends Exception {
    private static final long serialVersionUID = 1L;

    public BenchFailure(String sentence) {
        super(sentence);
    }
}
