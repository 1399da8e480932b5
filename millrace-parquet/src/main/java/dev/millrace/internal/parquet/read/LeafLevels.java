package dev.millrace.internal.parquet.read;

import dev.millrace.internal.memory.CountedArray;
import dev.millrace.internal.parquet.decode.HybridReader;
import dev.millrace.internal.parquet.format.MalformedParquet;
import dev.millrace.internal.parquet.schema.SchemaNode;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The levels of one leaf's entries in the current chunk, and the validity and offsets derived from them. While every
/// entry of a column without lists is a value, only their number is kept. A few bytes of a file can encode any number
/// of levels, so their memory is accounted for.
final class LeafLevels implements AutoCloseable {
    private static final int MOST = 1 << 28;
    private static final byte[] NONE = {};

    private final int highestDefinition;
    private final boolean repeated;
    private final Allocator allocator;
    /// Null before the first levels.
    private @Nullable CountedArray<byte[]> countedDefinitions;

    private @Nullable CountedArray<byte[]> countedRepetitions;
    /// The arrays of the two fields above.
    private byte[] definitions = NONE;

    private byte[] repetitions = NONE;
    private int count;
    /// All entries have the maximum definition level, and none is written to `definitions`.
    private boolean full = true;

    LeafLevels(int highestDefinition, boolean repeated, Allocator allocator) {
        this.highestDefinition = highestDefinition;
        this.repeated = repeated;
        this.allocator = allocator;
    }

    void clear() {
        count = 0;
        full = !repeated;
    }

    int count() {
        return count;
    }

    boolean isFull() {
        return full;
    }

    /// Adds entries that are all values.
    void addFull(int entries) {
        if (!full) {
            grow(entries);
            Arrays.fill(definitions, count, count + entries, (byte) highestDefinition);
        }
        count += entries;
    }

    /// Adds entries of a column without lists; returns how many of them are values.
    int add(HybridReader source, int entries) {
        if (full) {
            full = false;
            int before = count;
            count = 0;
            grow(before + entries);
            Arrays.fill(definitions, 0, before, (byte) highestDefinition);
            count = before;
        } else {
            grow(entries);
        }
        source.read(definitions, count, entries);
        int values = values(definitions, count, entries);
        count += entries;
        return values;
    }

    /// Adds entries of a column with lists; returns how many of them are values.
    int add(byte[] moreRepetitions, byte[] moreDefinitions, int from, int entries) {
        grow(entries);
        System.arraycopy(moreRepetitions, from, repetitions, count, entries);
        System.arraycopy(moreDefinitions, from, definitions, count, entries);
        int values = values(definitions, count, entries);
        count += entries;
        return values;
    }

    int values(byte[] levels, int from, int entries) {
        int values = 0;
        for (int i = from; i < from + entries; i++) {
            if (levels[i] > highestDefinition) {
                throw new MalformedParquet(
                        "a definition level of " + levels[i] + " where " + highestDefinition + " is the most");
            }
            values += levels[i] == highestDefinition ? 1 : 0;
        }
        return values;
    }

    private void grow(int entries) {
        long needed = (long) count + entries;
        if (needed > definitions.length) {
            if (needed > MOST) {
                throw new MalformedParquet("more than " + MOST + " entries would stand in one chunk");
            }
            int size = (int) Math.min(MOST, Math.max(needed, 2L * definitions.length));
            countedDefinitions = grown(countedDefinitions, size);
            definitions = countedDefinitions.values();
            if (repeated) {
                countedRepetitions = grown(countedRepetitions, size);
                repetitions = countedRepetitions.values();
            }
        }
    }

    private CountedArray<byte[]> grown(@Nullable CountedArray<byte[]> levels, int size) {
        CountedArray<byte[]> larger = CountedArray.ofBytes(allocator, size);
        if (levels != null) {
            System.arraycopy(levels.values(), 0, larger.values(), 0, count);
            levels.close();
        }
        return larger;
    }

    @Override
    public void close() {
        definitions = NONE;
        repetitions = NONE;
        if (countedDefinitions != null) {
            countedDefinitions.close();
        }
        if (countedRepetitions != null) {
            countedRepetitions.close();
        }
    }

    /// Which slots of a node have a value.
    Slots slots(SchemaNode node) {
        if (full) {
            return new Slots(count, count, null);
        }
        byte[] there = new byte[count];
        int slots = 0;
        int values = 0;
        int wanted = node.definition();
        if (!repeated) {
            for (int i = 0; i < count; i++) {
                byte value = (byte) (definitions[i] >= wanted ? 1 : 0);
                there[i] = value;
                values += value;
            }
            slots = count;
        } else {
            int repetition = node.slotRepetition();
            int definition = node.slotDefinition();
            for (int i = 0; i < count; i++) {
                int value = definitions[i] >= wanted ? 1 : 0;
                there[slots] = (byte) value;
                int slot = repetitions[i] <= repetition && definitions[i] >= definition ? 1 : 0;
                slots += slot;
                values += value & slot;
            }
        }
        return new Slots(slots, values, values == slots ? null : there);
    }

    /// The offsets of a list or map column. Sets `size[0]` to the number of elements.
    Buffer offsets(SchemaNode node, int elementDefinition, int slots, Allocator allocator, int[] size) {
        Buffer offsets = allocator.allocate(4L * (slots + 1L));
        MemorySegment target = offsets.segment();
        int repetition = node.slotRepetition();
        int definition = node.slotDefinition();
        int elements = 0;
        int slot = 0;
        for (int i = 0; i < count; i++) {
            if (repetitions[i] <= repetition && definitions[i] >= definition) {
                target.setAtIndex(ValueLayout.JAVA_INT, slot++, elements);
            }
            elements += repetitions[i] <= repetition + 1 && definitions[i] >= elementDefinition ? 1 : 0;
        }
        target.setAtIndex(ValueLayout.JAVA_INT, slot, elements);
        size[0] = elements;
        return offsets;
    }

    /// @param there one byte per slot, 1 if it has a value, else 0; null if every slot has one
    record Slots(int count, int values, byte @Nullable [] there) {
        int nulls() {
            return count - values;
        }

        /// The validity bitmap, or null if every slot has a value.
        @Nullable
        Buffer validity(Allocator allocator) {
            if (there == null) {
                return null;
            }
            Buffer bits = allocator.allocate((count + 7L) / 8);
            pack(there, count, bits.segment());
            return bits;
        }

        /// Packs the lowest bits of bytes: the byte of a null may have any value.
        static void pack(byte[] from, int count, MemorySegment to) {
            int i = 0;
            for (; i <= count - 8; i += 8) {
                int b = from[i] & 1
                        | (from[i + 1] & 1) << 1
                        | (from[i + 2] & 1) << 2
                        | (from[i + 3] & 1) << 3
                        | (from[i + 4] & 1) << 4
                        | (from[i + 5] & 1) << 5
                        | (from[i + 6] & 1) << 6
                        | (from[i + 7] & 1) << 7;
                to.set(ValueLayout.JAVA_BYTE, i >>> 3, (byte) b);
            }
            if (i < count) {
                int b = 0;
                for (int k = 0; i + k < count; k++) {
                    b |= (from[i + k] & 1) << k;
                }
                to.set(ValueLayout.JAVA_BYTE, i >>> 3, (byte) b);
            }
        }
    }
}
