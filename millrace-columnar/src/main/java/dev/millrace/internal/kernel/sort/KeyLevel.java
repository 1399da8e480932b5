package dev.millrace.internal.kernel.sort;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/// A part of a sort key that is compared 64 bits at a time: ties are broken by the next level. Chunks compare as
/// unsigned numbers, in the direction of the key.
abstract class KeyLevel {
    /// Bytes of a pair: the chunk, then the row's number.
    static final int PAIR = 2 * Long.BYTES;

    /// Writes the chunk at `depth` beside each row number of the pairs `from` to `to`.
    abstract void load(MemorySegment pairs, long from, long to, int depth);

    /// The order of two rows by this level, from `depth` on.
    abstract int compare(long a, long b, int depth);

    /// True when rows that are equal at one depth may differ at the next.
    boolean isDeep() {
        return false;
    }

    /// True when these rows, which are equal up to here, continue after this depth.
    boolean goesDeeper(MemorySegment pairs, long from, long to, int depth) {
        return false;
    }

    static long row(MemorySegment pairs, long index) {
        return pairs.getAtIndex(JAVA_LONG, 2 * index + 1);
    }

    static void chunk(MemorySegment pairs, long index, long chunk) {
        pairs.setAtIndex(JAVA_LONG, 2 * index, chunk);
    }
}
