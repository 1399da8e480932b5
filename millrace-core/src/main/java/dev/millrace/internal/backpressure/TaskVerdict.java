package dev.millrace.internal.backpressure;

/// A policy's answer to whether the operator may start one more task. A refusal has a reason with numbers.
public record TaskVerdict(boolean allowed, String policy, String reason) {
    public static final TaskVerdict ALLOWED = new TaskVerdict(true, "", "");
}
