package dev.millrace.internal.kernel.aggregate;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.NullColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.internal.kernel.hash.RowHash;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Looks up the ids of known values, which are booleans, numbers, texts or dates, in columns of their kind: numbers by
/// value, independent of their width, and 0.0 equals -0.0. Immutable, used by any number of threads.
public abstract sealed class CategoryTable {
    /// The id of an unknown value.
    public static final int UNKNOWN = -1;
    /// The id of null and NaN.
    public static final int MISSING = -2;

    private static final int CHUNK = 2048;

    private CategoryTable() {}

    /// Whether values of a type are supported.
    public static boolean isFor(DataType type) {
        return switch (type) {
            case DataType.Bool _,
                    DataType.Int _,
                    DataType.Float _,
                    DataType.Decimal _,
                    DataType.Utf8 _,
                    DataType.Date _ -> true;
            case DataType.Null _,
                    DataType.Time _,
                    DataType.Timestamp _,
                    DataType.Duration _,
                    DataType.Binary _,
                    DataType.Dictionary _,
                    DataType.Nested _ -> false;
        };
    }

    /// @param values as [Column#value] gives them, distinct, none of them null or NaN
    public static CategoryTable of(DataType type, List<?> values) {
        return switch (type) {
            case DataType.Utf8 _ -> new Texts(values.toArray(String[]::new));
            case DataType.Decimal _ -> new Decimals(values);
            // Types that fit 64 bits.
            default -> new Words(type, values);
        };
    }

    /// The id of each value of a column of the same kind of type.
    public final int[] find(Column column) {
        int[] found = new int[Math.toIntExact(column.length())];
        if (column instanceof NullColumn) {
            Arrays.fill(found, MISSING);
            return found;
        }
        for (int from = 0; from < found.length; from += CHUNK) {
            find(column, from, Math.min(CHUNK, found.length - from), found);
        }
        return found;
    }

    abstract void find(Column column, int from, int count, int[] found);

    private static int slots(int values) {
        return Integer.highestOneBit(Math.max(8, values)) << 2;
    }

    /// Integers and types stored as such, and the bits of floats.
    private static final class Words extends CategoryTable {
        private final boolean floats;
        private final long[] words;
        private final int[] slots;

        Words(DataType type, List<?> values) {
            floats = type instanceof DataType.Float;
            Column column = Columns.of(Allocator.collected("categories"), type, values);
            words = new long[values.size()];
            slots = new int[CategoryTable.slots(words.length)];
            Arrays.fill(slots, UNKNOWN);
            ValueArrays read = new ValueArrays(column, Math.max(1, words.length), floats);
            read(read, 0, words.length);
            for (int i = 0; i < words.length; i++) {
                words[i] = word(read, i);
                int slot = slot(words[i]);
                while (slots[slot] >= 0) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = i;
            }
        }

        private int slot(long word) {
            long mixed = word * 0x9E3779B97F4A7C15L;
            return (int) (mixed ^ mixed >>> 32) & slots.length - 1;
        }

        private void read(ValueArrays values, int from, int count) {
            values.select(new int[count], from, count);
            if (floats) {
                values.readDoubles();
            } else {
                values.readLongs();
            }
        }

        private long word(ValueArrays values, int at) {
            return floats ? Double.doubleToLongBits(values.doubles[at] + 0.0) : values.longs[at];
        }

        @Override
        void find(Column column, int from, int count, int[] found) {
            Arrays.fill(found, from, from + count, MISSING);
            ValueArrays values = new ValueArrays(column, count, floats);
            read(values, from, count);
            for (int i = 0; i < values.count; i++) {
                if (floats && Double.isNaN(values.doubles[i])) {
                    continue;
                }
                long word = word(values, i);
                int slot = slot(word);
                while (slots[slot] >= 0 && words[slots[slot]] != word) {
                    slot = slot + 1 & slots.length - 1;
                }
                found[(int) values.row(i)] = slots[slot];
            }
        }
    }

    private static final class Texts extends CategoryTable {
        private final StringColumn texts;
        private final long[] hashes;
        private final int[] slots;

        Texts(String[] values) {
            texts = Columns.ofStrings(Allocator.collected("categories"), values);
            hashes = new long[values.length];
            RowHash.of(List.of(texts)).compute(0, values.length, hashes);
            slots = new int[CategoryTable.slots(values.length)];
            Arrays.fill(slots, UNKNOWN);
            for (int i = 0; i < values.length; i++) {
                int slot = (int) hashes[i] & slots.length - 1;
                while (slots[slot] >= 0) {
                    slot = slot + 1 & slots.length - 1;
                }
                slots[slot] = i;
            }
        }

        @Override
        void find(Column column, int from, int count, int[] found) {
            StringColumn strings = (StringColumn) column;
            long[] asked = new long[count];
            RowHash.of(List.of(strings)).compute(from, count, asked);
            boolean nulls = strings.hasNulls();
            for (int i = 0; i < count; i++) {
                found[from + i] = nulls && strings.isNull(from + i) ? MISSING : find(strings, from + i, asked[i]);
            }
        }

        private int find(StringColumn strings, long row, long hash) {
            int slot = (int) hash & slots.length - 1;
            while (slots[slot] >= 0) {
                int known = slots[slot];
                if (hashes[known] == hash
                        && MemorySegment.mismatch(
                                        strings.dataSegment(),
                                        strings.start(row),
                                        strings.end(row),
                                        texts.dataSegment(),
                                        texts.start(known),
                                        texts.end(known))
                                < 0) {
                    return known;
                }
                slot = slot + 1 & slots.length - 1;
            }
            return UNKNOWN;
        }
    }

    private static final class Decimals extends CategoryTable {
        private final Map<BigDecimal, Integer> numbers = new HashMap<>();

        Decimals(List<?> values) {
            values.forEach(value -> numbers.put(((BigDecimal) value).stripTrailingZeros(), numbers.size()));
        }

        @Override
        void find(Column column, int from, int count, int[] found) {
            for (int row = from; row < from + count; row++) {
                Object value = column.value(row);
                found[row] = value == null
                        ? MISSING
                        : numbers.getOrDefault(((BigDecimal) value).stripTrailingZeros(), UNKNOWN);
            }
        }
    }
}
