package dev.millrace.internal.exchange;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// The argument of the last task of an exchange with a broadcast side.
///
/// @param made what was reported about the broadcast side
/// @param found what all probing tasks reported; null if they reported nothing
public record LastTaskInput(
        @Nullable Serializable made, @Nullable ProbeFeedback found) implements Serializable {}
