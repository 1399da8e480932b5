package dev.millrace.internal.consume;

import dev.millrace.batch.Row;
import dev.millrace.batch.RowCursor;
import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.kernel.sort.KeyBytes;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Patience;
import dev.millrace.relation.SortKey;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// Rows sorted by a key, found by it: the first and the last key of each block are on the heap, so that a lookup
/// fetches the blocks that have its rows, and no others. The blocks may be on disk meanwhile. Thread-safe: lookups
/// share a lock that the close takes alone, so no block is freed below a lookup.
public final class KeyIndex implements AutoCloseable {
    /// A lookup reads whole blocks back from disk.
    public static final long TARGET_BYTES = 1L << 20;

    private final SessionExecutions owner;
    private final Runtime runtime;
    private final HeldBlocks held;
    private final Field key;
    private final Allocator account;
    private final List<BlockSlice> slices = new ArrayList<>();
    /// Of the slices, as [KeyBytes] has them.
    private final List<byte[]> firstKeys = new ArrayList<>();

    private final List<byte[]> lastKeys = new ArrayList<>();
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    /// Guarded by the lock.
    private boolean closed;

    private KeyIndex(SessionExecutions owner, HeldBlocks held, Field key) {
        this.owner = owner;
        this.runtime = owner.runtime();
        this.held = held;
        this.key = new Field(key.name(), plain(key.type()));
        this.account = owner.memory().child("lookups by " + key.name(), Patience.CONSUMER);
    }

    private static DataType plain(DataType type) {
        return type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
    }

    /// Runs a plan whose rows are sorted by the key, ascending and without nulls, and keeps its blocks.
    public static KeyIndex of(DatasetExecution sorted, SessionExecutions executions, Field key) {
        HeldBlocks held = DatasetMetadata.materialize(sorted, executions);
        try (ResourceScope scope = new ResourceScope()) {
            KeyIndex index = scope.add(new KeyIndex(executions, held, key));
            index.readBorders();
            executions.register(index);
            return scope.keep(index);
        }
    }

    private void readBorders() {
        for (BlockSlice slice : held.slices()) {
            if (slice.rows() == 0) {
                continue;
            }
            try (Block block = runtime.get(slice)) {
                KeyBytes keys = keys(block);
                slices.add(slice);
                firstKeys.add(keys.of(0));
                lastKeys.add(keys.of(block.rows() - 1));
            }
        }
    }

    private KeyBytes keys(Block block) {
        return KeyBytes.of(block, List.of(SortKey.ascending(key.name())));
    }

    public long rows() {
        return held.rows();
    }

    public int blocks() {
        return slices.size();
    }

    /// For each value its rows in order, `most` of them; empty where there are none.
    ///
    /// @throws MillraceException culprit USER, for a null and for values of another type
    public List<List<Row>> find(List<?> values, int most) {
        List<List<Row>> found = new ArrayList<>();
        values.forEach(_ -> found.add(new ArrayList<>()));
        lock.readLock().lock();
        try {
            if (closed) {
                throw MillraceException.user("A lookup by " + key.name() + " came after the close: the rows are gone.");
            }
            List<byte[]> wanted = encoded(values);
            // In the order of the keys, so that a block is fetched once for all keys that it has.
            Integer[] order = new Integer[wanted.size()];
            Arrays.setAll(order, i -> i);
            Arrays.sort(order, (a, b) -> Arrays.compareUnsigned(wanted.get(a), wanted.get(b)));
            find(wanted, order, found, most);
            return found;
        } finally {
            lock.readLock().unlock();
        }
    }

    private void find(List<byte[]> wanted, Integer[] order, List<List<Row>> found, int most) {
        int at = 0;
        while (at < order.length) {
            int slice = firstSlice(wanted.get(order[at]));
            if (slice == slices.size()) {
                return;
            }
            at = findIn(slice, wanted, order, at, found, most);
        }
    }

    /// The first slice whose last key is not below `wanted`; the number of slices if there is none.
    private int firstSlice(byte[] wanted) {
        int below = -1;
        int not = slices.size();
        while (not - below > 1) {
            int middle = below + not >>> 1;
            if (Arrays.compareUnsigned(lastKeys.get(middle), wanted) < 0) {
                below = middle;
            } else {
                not = middle;
            }
        }
        return not;
    }

    /// Looks for the keys from `order[at]` on whose rows begin in this slice.
    ///
    /// @return the place in the order of the first key that begins in a later one
    private int findIn(int slice, List<byte[]> wanted, Integer[] order, int at, List<List<Row>> found, int most) {
        if (Arrays.compareUnsigned(wanted.get(order[at]), firstKeys.get(slice)) < 0) {
            // Between two slices: there is no such row.
            return at + 1;
        }
        int next = at;
        try (Block block = runtime.get(slices.get(slice))) {
            KeyBytes keys = keys(block);
            while (next < order.length && Arrays.compareUnsigned(wanted.get(order[next]), lastKeys.get(slice)) <= 0) {
                byte[] key = wanted.get(order[next]);
                List<Row> rows = found.get(order[next]);
                long begin = keys.firstNotBelow(0, block.rows(), key);
                long end = append(block, keys, begin, key, rows, most);
                if (end == block.rows() && rows.size() < most) {
                    appendFurther(slice + 1, key, rows, most);
                }
                next++;
            }
        }
        return next;
    }

    /// @return the row behind the last with this key, or the last that was wanted
    private static long append(Block block, KeyBytes keys, long begin, byte[] key, List<Row> rows, int most) {
        RowCursor cursor = new RowCursor();
        cursor.reopen(block);
        long row = begin;
        while (row < block.rows() && rows.size() < most && keys.compare(row, key) == 0) {
            cursor.moveTo(row++);
            rows.add(cursor.copy());
        }
        cursor.end();
        return row;
    }

    /// The rows of the key in the slices from `slice` on.
    private void appendFurther(int slice, byte[] key, List<Row> rows, int most) {
        for (int i = slice; i < slices.size() && rows.size() < most; i++) {
            if (!Arrays.equals(firstKeys.get(i), key)) {
                return;
            }
            try (Block block = runtime.get(slices.get(i))) {
                if (append(block, keys(block), 0, key, rows, most) < block.rows()) {
                    return;
                }
            }
        }
    }

    /// The values as keys, by the conversions that builders of columns have.
    private List<byte[]> encoded(List<?> values) {
        List<byte[]> encoded = new ArrayList<>();
        try (BlockBuilder builder = new BlockBuilder(account, Schema.of(key), values.size())) {
            for (Object value : values) {
                append(builder, value);
            }
            try (Block block = builder.build()) {
                KeyBytes keys = keys(block);
                for (long row = 0; row < block.rows(); row++) {
                    encoded.add(keys.of(row));
                }
            }
        }
        return encoded;
    }

    private void append(BlockBuilder builder, Object value) {
        if (value == null) {
            throw MillraceException.user("A lookup by " + key.name()
                    + ": null is no key, and rows without a key are left out. Filter the dataset: " + key.name()
                    + " IS NULL.");
        }
        try {
            builder.append(value);
        } catch (MillraceException e) {
            throw new MillraceException(
                    Culprit.USER,
                    "A lookup by " + key.name() + ", which is " + key.type() + ": " + value + " ("
                            + value.getClass().getSimpleName() + ") is no such value. " + e.getMessage(),
                    e);
        }
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            lock.writeLock().unlock();
        }
        free();
    }

    private void free() {
        try {
            held.close();
        } finally {
            account.close();
            owner.forget(this);
        }
    }
}
