package dev.millrace;

import dev.millrace.batch.Row;
import dev.millrace.internal.consume.KeyIndex;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// The rows of a dataset by a key: lookups of one key or of many, from any threads at once. It has a copy of the rows,
/// sorted by the key, in blocks of about a MiB: in memory, and on disk if they do not fit there. A lookup fetches the
/// blocks that have its rows, which are read back from disk if need be.
///
/// A key is a value of the column's type, as [Row#get] gives it; a number may have any Java type that holds it. Rows
/// whose key is null are left out. NaN is equal to NaN, and 0.0 to -0.0.
///
/// Closing frees the rows, after the lookups that run; a later one is an error. The session closes it at its end.
public final class RandomAccessDataset implements AutoCloseable {
    private final KeyIndex index;

    RandomAccessDataset(KeyIndex index) {
        this.index = index;
    }

    /// The row with this key; of several the first, in the order of the dataset.
    public Optional<Row> get(Object key) {
        return first(find(key, 1));
    }

    /// All rows with this key, in the order of the dataset; all are in memory at once.
    public List<Row> getAll(Object key) {
        return find(key, Integer.MAX_VALUE);
    }

    /// For each key what [#get] gives, in the order of the keys. Each block is fetched once, so that one call for many
    /// keys is faster than many calls.
    public List<Optional<Row>> getMany(List<?> keys) {
        return index.find(keys, 1).stream().map(RandomAccessDataset::first).toList();
    }

    private List<Row> find(Object key, int most) {
        return index.find(Collections.singletonList(key), most).getFirst();
    }

    private static Optional<Row> first(List<Row> rows) {
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.getFirst());
    }

    /// The number of rows that have a key.
    public long count() {
        return index.rows();
    }

    int numBlocks() {
        return index.blocks();
    }

    @Override
    public void close() {
        index.close();
    }
}
