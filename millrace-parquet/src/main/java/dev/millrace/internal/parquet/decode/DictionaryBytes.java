package dev.millrace.internal.parquet.decode;

/// Indices into a dictionary of byte strings.
final class DictionaryBytes extends BytesDecoder {
    private static final int AT_ONCE = 1024;

    private final HybridReader indices;
    private final BytesDictionary dictionary;
    private final int[] scratch = new int[AT_ONCE];

    DictionaryBytes(HybridReader indices, BytesDictionary dictionary) {
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

    @Override
    public void skip(int count) {
        indices.skip(count);
    }
}
