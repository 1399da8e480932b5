package dev.millrace.internal.buffer;

import java.util.function.LongFunction;

/// How a [GrowingBuffer] grows: to twice its size, or to the required size if that is larger.
///
/// @param firstBytes its minimum size once it has any
/// @param slackBytes after its content, undefined, for code that reads or writes whole words at its end
/// @param maxBytes that it may hold
/// @param tooLarge creates the error if more is needed, from the number of bytes
/// @param zeroed new memory is zero, not undefined
public record Growth(
        long firstBytes, int slackBytes, long maxBytes, LongFunction<RuntimeException> tooLarge, boolean zeroed) {
    /// Without a limit or slack, of undefined contents.
    public static Growth from(long firstBytes) {
        return new Growth(firstBytes, 0, Long.MAX_VALUE, Growth::never, false);
    }

    public Growth withSlack(int bytes) {
        return new Growth(firstBytes, bytes, maxBytes, tooLarge, zeroed);
    }

    public Growth upTo(long bytes, LongFunction<RuntimeException> error) {
        return new Growth(firstBytes, slackBytes, bytes, error, zeroed);
    }

    public Growth withZeros() {
        return new Growth(firstBytes, slackBytes, maxBytes, tooLarge, true);
    }

    /// What to have where there is room for `capacity` bytes and `needed` are needed.
    long next(long capacity, long needed) {
        return Math.min(maxBytes, Math.max(Math.max(firstBytes, exactly(needed)), 2 * capacity));
    }

    /// What is needed, if it may be had.
    long exactly(long needed) {
        if (needed > maxBytes || needed < 0) {
            throw tooLarge.apply(needed);
        }
        return needed;
    }

    private static RuntimeException never(long needed) {
        return new IllegalArgumentException("a buffer of " + needed + " bytes");
    }
}
