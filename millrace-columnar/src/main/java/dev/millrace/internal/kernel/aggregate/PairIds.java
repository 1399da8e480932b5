package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.memory.Allocator;

/// Assigns dense ids to distinct pairs of ids in order of occurrence. One thread.
final class PairIds implements AutoCloseable {
    /// Pairs of ids below this need no lookup in the hash table.
    private static final int FEW = 64;

    private final LongIds pairs;
    private final long[] words;
    /// The id of a pair of small ids, plus one.
    private final int[] ofFew = new int[FEW * FEW];
    private final long[] oneWord = new long[1];
    private final int[] oneNumber = new int[1];

    PairIds(Allocator allocator, int mostRows) {
        this.pairs = new LongIds(allocator, false);
        this.words = new long[mostRows];
    }

    /// Replaces each of the first `count` ids by that of its pair with the other.
    ///
    /// @param few whether all ids of both are below [#FEW]
    void assign(int[] numbers, int[] others, int count, boolean few) {
        if (few) {
            for (int i = 0; i < count; i++) {
                int at = numbers[i] * FEW + others[i];
                if (ofFew[at] == 0) {
                    oneWord[0] = word(numbers[i], others[i]);
                    pairs.assign(oneWord, 0, 1, oneNumber);
                    ofFew[at] = oneNumber[0] + 1;
                }
                numbers[i] = ofFew[at] - 1;
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            words[i] = word(numbers[i], others[i]);
        }
        pairs.assign(words, 0, count, numbers);
    }

    static boolean areFew(int known, int others) {
        return known <= FEW && others <= FEW;
    }

    private static long word(int number, int other) {
        return (long) number << 32 | other;
    }

    int known() {
        return pairs.known();
    }

    long estimatedBytes() {
        return pairs.estimatedBytes();
    }

    /// Replaces the ids of pairs by their first ids, in place, and writes the second ids to `others`.
    void split(int[] numbers, int[] others, int count) {
        for (int i = 0; i < count; i++) {
            long word = pairs.values().getAtIndex(JAVA_LONG, numbers[i]);
            numbers[i] = (int) (word >>> 32);
            others[i] = (int) word;
        }
    }

    @Override
    public void close() {
        pairs.close();
    }
}
