package dev.millrace.internal.parquet.decode;

import java.lang.foreign.MemorySegment;

/// Indices into a dictionary of fixed-width values.
final class DictionaryFixed extends FixedDecoder {
    private static final int AT_ONCE = 1024;

    private final HybridReader indices;
    private final FixedDictionary dictionary;
    private final int width;
    private final int[] scratch;

    /// @param scratch from [#scratch], used while values are read
    DictionaryFixed(HybridReader indices, FixedDictionary dictionary, int width, int[] scratch) {
        this.indices = indices;
        this.dictionary = dictionary;
        this.width = width;
        this.scratch = scratch;
    }

    static int[] scratch() {
        return new int[AT_ONCE];
    }

    @Override
    public void read(MemorySegment target, long at, int count) {
        for (int done = 0; done < count; done += AT_ONCE) {
            int n = Math.min(AT_ONCE, count - done);
            indices.read(scratch, 0, n);
            dictionary.gather(scratch, n, target, at + (long) done * width);
        }
    }

    /// Unpacks all indices, but looks up only the chosen ones.
    @Override
    public void pick(int values, int[] positions, int count, MemorySegment target, long at) {
        int next = 0;
        long to = at;
        for (int done = 0; done < values; done += AT_ONCE) {
            int n = Math.min(AT_ONCE, values - done);
            indices.read(scratch, 0, n);
            int chosen = choose(scratch, positions, next, count, done, n);
            next += chosen;
            dictionary.gather(scratch, chosen, target, to);
            to += (long) chosen * width;
        }
    }

    /// Moves those of the first `n` indices that are at the next positions, relative to `first`, to the front. A chosen
    /// index is never before its target, so this works in place.
    private static int choose(int[] indices, int[] positions, int next, int count, int first, int n) {
        int most = Math.min(n, count - next);
        int chosen = 0;
        while (chosen < most) {
            int at = positions[next + chosen] - first;
            if (at >= n) {
                break;
            }
            indices[chosen++] = indices[at];
        }
        return chosen;
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public void skip(int count) {
        indices.skip(count);
    }
}
