package dev.millrace.internal.runtime.wire;

import java.util.List;

/// The bytes of a program, without the parts that it shares with others ([dev.millrace.runtime.ShippedOnce]).
///
/// @param parts the numbers of those parts, and of theirs: a part before those that refer to it
public record ShippedProgram(byte[] bytes, List<Long> parts) {
    public ShippedProgram {
        parts = List.copyOf(parts);
    }
}
