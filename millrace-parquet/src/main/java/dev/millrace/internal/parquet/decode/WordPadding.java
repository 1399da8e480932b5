package dev.millrace.internal.parquet.decode;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Padding for memory that is read and written in whole words.
public final class WordPadding {
    public static final int BYTES = 16;
    private static final int BY_WORD = 48;

    private WordPadding() {}

    /// Copies a short byte string word by word; reads and overwrites up to seven bytes after it.
    static void copy(MemorySegment from, long at, MemorySegment to, long target, int length) {
        if (length <= BY_WORD) {
            for (int i = 0; i < length; i += 8) {
                to.set(JAVA_LONG_UNALIGNED, target + i, from.get(JAVA_LONG_UNALIGNED, at + i));
            }
        } else {
            MemorySegment.copy(from, at, to, target, length);
        }
    }
}
