package dev.millrace.internal.exchange;

import java.io.Serializable;

/// What the last task of an exchange with a shared side gets as its argument.
///
/// @param made what was told of the shared side
/// @param found what all tasks that asked it found; null if they told nothing
public record LastTaskInput(Serializable made, ProbeFeedback found) implements Serializable {}
