package dev.millrace.internal.backpressure;

/// A policy's answer: may the operator start one more task? A refusal says why, with numbers.
public record TaskVerdict(boolean allowed, String policy, String reason) {
    public static final TaskVerdict ALLOWED = new TaskVerdict(true, "", "");
}
