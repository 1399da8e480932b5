package dev.millrace.internal.parquet.decode;

/// Indices into a dictionary of byte strings.
final class DictionaryBytes extends BytesDecoder {
    private static final int AT_ONCE = 1024;

    private final HybridReader indices;
    private final BytesDictionaryPage dictionary;
    private final int[] scratch = new int[AT_ONCE];

    DictionaryBytes(HybridReader indices, BytesDictionaryPage dictionary) {
        this.indices = indices;
        this.dictionary = dictionary;
    }

    @Override
    public void read(BytesSink target, int count) {
        for (int done = 0; done < count; done += AT_ONCE) {
            int n = Math.min(AT_ONCE, count - done);
            indices.read(scratch, 0, n);
            dictionary.gather(scratch, n, target);
        }
    }

    /// Unpacks all indices, but looks up only the chosen ones.
    @Override
    public void pick(int values, int[] positions, int count, BytesSink target) {
        int next = 0;
        for (int done = 0; done < values; done += AT_ONCE) {
            int n = Math.min(AT_ONCE, values - done);
            indices.read(scratch, 0, n);
            int chosen = 0;
            while (next < count && positions[next] < done + n) {
                scratch[chosen++] = scratch[positions[next++] - done];
            }
            dictionary.gather(scratch, chosen, target);
        }
    }

    @Override
    public void skip(int count) {
        indices.skip(count);
    }
}
