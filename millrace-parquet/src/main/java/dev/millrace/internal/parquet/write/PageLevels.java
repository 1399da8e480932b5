package dev.millrace.internal.parquet.write;

import dev.millrace.internal.buffer.GrowingBuffer;
import dev.millrace.internal.parquet.encode.HybridWriter;
import dev.millrace.internal.parquet.encode.PageGrowth;
import dev.millrace.memory.Allocator;

/// The definition and repetition levels of the current page, a byte each; definition levels are not stored while all
/// have the maximum. One thread.
final class PageLevels implements AutoCloseable {
    private final int highestDefinition;
    private final int highestRepetition;
    private final GrowingBuffer definitions;
    private final GrowingBuffer repetitions;
    private int entries;
    private int values;

    PageLevels(int highestDefinition, int highestRepetition, Allocator allocator) {
        this.highestDefinition = highestDefinition;
        this.highestRepetition = highestRepetition;
        definitions = new GrowingBuffer(allocator, PageGrowth.PAGE);
        repetitions = new GrowingBuffer(allocator, PageGrowth.PAGE);
    }

    int entries() {
        return entries;
    }

    /// The number of entries without a value.
    int nulls() {
        return entries - values;
    }

    /// Adds entries of a column outside of lists, all of them values.
    void addValues(int count) {
        if (definitions.size() > 0) {
            fill(definitions.size(), count);
        }
        entries += count;
        values += count;
    }

    private void fill(long from, int count) {
        definitions.reserve(count).asSlice(from, count).fill((byte) highestDefinition);
        definitions.size(from + count);
    }

    /// Adds entries of a column outside of lists, some of them null.
    ///
    /// @param present the number of values
    void add(byte[] definition, int count, int present) {
        if (present == count) {
            addValues(count);
            return;
        }
        if (definitions.size() == 0) {
            fill(0, entries);
        }
        definitions.put(definition, count);
        entries += count;
        values += present;
    }

    /// Adds entries of a column inside of lists.
    void add(byte[] definition, byte[] repetition, int count, int present) {
        add(definition, count, present);
        if (highestRepetition > 0) {
            repetitions.put(repetition, count);
        }
    }

    boolean hasDefinitions() {
        return highestDefinition > 0;
    }

    boolean hasRepetitions() {
        return highestRepetition > 0;
    }

    void definitions(GrowingBuffer out) {
        int bits = HybridWriter.bitsFor(highestDefinition);
        if (definitions.size() == 0) {
            HybridWriter.run(highestDefinition, entries, bits, out);
        } else {
            HybridWriter.bytes(definitions.memory(), entries, bits, out);
        }
    }

    void repetitions(GrowingBuffer out) {
        HybridWriter.bytes(repetitions.memory(), entries, HybridWriter.bitsFor(highestRepetition), out);
    }

    void clear() {
        entries = 0;
        values = 0;
        definitions.clear();
        repetitions.clear();
    }

    long heldBytes() {
        return definitions.heldBytes() + repetitions.heldBytes();
    }

    @Override
    public void close() {
        definitions.close();
        repetitions.close();
    }
}
