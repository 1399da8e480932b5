package dev.millrace.internal.parquet.decode;

/// Decodes the values of one page, in order, of varying length. Nulls have no value here. Closed by [PageDecoders],
/// which creates it.
public abstract class BytesDecoder implements AutoCloseable {
    public abstract void read(BytesSink target, int count);

    public abstract void skip(int count);

    /// Consumes `values` values and appends those at the first `count` of `positions`, which are ascending. Adjacent
    /// positions are read together, values between them are skipped.
    public void pick(int values, int[] positions, int count, BytesSink target) {
        int consumed = 0;
        int i = 0;
        while (i < count) {
            int run = i + 1;
            while (run < count && positions[run] == positions[run - 1] + 1) {
                run++;
            }
            skip(positions[i] - consumed);
            read(target, run - i);
            consumed = positions[run - 1] + 1;
            i = run;
        }
        skip(values - consumed);
    }

    @Override
    public void close() {}
}
