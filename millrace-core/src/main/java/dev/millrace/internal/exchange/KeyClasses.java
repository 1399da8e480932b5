package dev.millrace.internal.exchange;

import dev.millrace.aggregate.Aggregates;
import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.column.Column;
import dev.millrace.column.IntColumn;
import dev.millrace.internal.kernel.aggregate.GroupIds;
import dev.millrace.internal.kernel.aggregate.GroupedBlocks;
import dev.millrace.internal.kernel.hash.RowHash;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Handles skew: divides rows by their keys into classes that can be processed one after the other. Every key with very
/// many rows is a class of its own, and all others are distributed by their hash. Closed by its user. One thread.
final class KeyClasses implements AutoCloseable {
    /// The number of blocks of states that are concatenated.
    private static final int MERGED_STATES = 32;
    private static final int CHUNK = 4096;

    private final Allocator allocator;
    private final List<String> keys;
    /// The keys that are classes of their own.
    private final Block large;

    private final long[] rows;
    private final int rounds;

    private KeyClasses(Allocator allocator, List<String> keys, Block large, long[] rows, int rounds) {
        this.allocator = allocator;
        this.keys = keys;
        this.large = large;
        this.rows = rows;
        this.rounds = rounds;
    }

    private static long count(Column counts, int row) {
        return ((Number) Objects.requireNonNull(counts.value(row), "a count is a number")).longValue();
    }

    /// @param task all rows of side 0 of it are read
    /// @param mostRows the maximum rows of a key that shares a class; a class has at most about twice as many
    static KeyClasses of(ReduceTask task, List<String> keys, long mostRows) {
        try (Block counts = counts(task, keys)) {
            Column each = counts.column(keys.size());
            int found = 0;
            int[] positions = new int[Math.toIntExact(counts.rows())];
            long others = 0;
            for (int i = 0; i < positions.length; i++) {
                long count = count(each, i);
                if (count > mostRows) {
                    positions[found++] = i;
                } else {
                    others += count;
                }
            }
            long[] ofLarge = new long[found];
            for (int i = 0; i < found; i++) {
                ofLarge[i] = count(each, positions[i]);
            }
            int rounds = Math.toIntExact((others + mostRows - 1) / mostRows);
            try (Block some = Blocks.take(task.allocator(), counts, positions, found)) {
                return new KeyClasses(task.allocator(), keys, keysOf(some, keys), ofLarge, rounds);
            }
        }
    }

    private static Block counts(ReduceTask task, List<String> keys) {
        GroupedBlocks grouping =
                new GroupedBlocks(keys, List.of(Aggregates.count().as("rows of a key")));
        List<Block> states = new ArrayList<>();
        try {
            for (int run = 0; run < task.runs(0); run++) {
                for (int i = 0; i < task.blocks(0, run); i++) {
                    try (Block block = task.block(0, run, i);
                            Block narrow = grouping.narrow(block)) {
                        states.add(grouping.accumulate(task.allocator(), narrow));
                    }
                    if (states.size() >= MERGED_STATES) {
                        try (Block all = together(task, states)) {
                            states.add(grouping.merge(task.allocator(), all));
                        }
                    }
                }
            }
            try (Block all = together(task, states)) {
                return grouping.finish(task.allocator(), all);
            }
        } finally {
            states.forEach(Block::close);
        }
    }

    private static Block together(ReduceTask task, List<Block> states) {
        Block all = Blocks.concatenate(task.allocator(), states);
        states.forEach(Block::close);
        states.clear();
        return all;
    }

    private static Block keysOf(Block block, List<String> keys) {
        List<Field> fields = new ArrayList<>();
        List<Column> columns = new ArrayList<>();
        for (String key : keys) {
            int position = block.schema().indexOf(key);
            fields.add(block.schema().field(position));
            columns.add(block.column(position));
        }
        return Block.sharing(Schema.of(fields), columns, block.rows());
    }

    /// The number of keys that are classes of their own: those with the first numbers.
    int large() {
        return rows.length;
    }

    /// The number of classes.
    int count() {
        return rows.length + rounds;
    }

    /// The rows of a key that is a class.
    long rows(int number) {
        return rows[number];
    }

    /// Such as `user = 7, day = 2024-01-31`.
    String text(int number) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            parts.add(keys.get(i) + " = " + large.column(i).value(number));
        }
        return String.join(", ", parts);
    }

    /// The rows of a block that belong to a class, ascending.
    int[] rowsOf(Block block, int number) {
        int count = Math.toIntExact(block.rows());
        int[] classes = new int[count];
        Arrays.fill(classes, count());
        if (number >= rows.length) {
            RowHash hash = RowHash.of(block, keys);
            long[] hashes = new long[CHUNK];
            for (int from = 0; from < count; from += CHUNK) {
                int some = Math.min(CHUNK, count - from);
                hash.compute(from, some, hashes);
                for (int i = 0; i < some; i++) {
                    // The upper half of the hash determined the partition.
                    classes[from + i] = rows.length + (int) ((hashes[i] & 0xFFFFFFFFL) * rounds >>> 32);
                }
            }
        }
        if (rows.length > 0) {
            try (Block own = keysOf(block, keys);
                    Block both = Blocks.concatenate(allocator, List.of(large, own))) {
                IntColumn groups = GroupIds.of(allocator, both, keys);
                try {
                    for (int i = 0; i < count; i++) {
                        int group = groups.get(rows.length + i);
                        classes[i] = group < rows.length ? group : classes[i];
                    }
                } finally {
                    groups.release();
                }
            }
        }
        int found = 0;
        for (int i = 0; i < count; i++) {
            if (classes[i] == number) {
                classes[found++] = i;
            }
        }
        return Arrays.copyOf(classes, found);
    }

    @Override
    public void close() {
        large.close();
    }
}
