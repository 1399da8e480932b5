package dev.millrace.internal.parquet.write;

import java.util.Arrays;

/// The entries of a nested column at one depth between its root and a leaf: levels so far, and the index of each
/// entry's value in the column at this depth.
final class NestedSlots {
    byte[] definition = new byte[1024];
    byte[] repetition = new byte[1024];
    /// -1 if the entry ended further up, at a null or an empty list.
    int[] index = new int[1024];

    int count;

    /// Starts with one entry for each of this many rows.
    void start(int rows) {
        reserve(rows);
        Arrays.fill(definition, 0, rows, (byte) 0);
        Arrays.fill(repetition, 0, rows, (byte) 0);
        for (int i = 0; i < rows; i++) {
            index[i] = i;
        }
        count = rows;
    }

    void reserve(int entries) {
        if (entries > index.length) {
            int length = Math.max(entries, 2 * index.length);
            definition = Arrays.copyOf(definition, length);
            repetition = Arrays.copyOf(repetition, length);
            index = Arrays.copyOf(index, length);
        }
    }

    void set(NestedSlots other) {
        reserve(other.count);
        System.arraycopy(other.definition, 0, definition, 0, other.count);
        System.arraycopy(other.repetition, 0, repetition, 0, other.count);
        System.arraycopy(other.index, 0, index, 0, other.count);
        count = other.count;
    }

    /// Appends the elements of one list.
    void addElements(byte level, byte first, byte others, int from, int elements) {
        reserve(count + elements);
        Arrays.fill(definition, count, count + elements, level);
        Arrays.fill(repetition, count, count + elements, others);
        repetition[count] = first;
        for (int i = 0; i < elements; i++) {
            index[count + i] = from + i;
        }
        count += elements;
    }

    void addEnded(byte level, byte repeated) {
        reserve(count + 1);
        definition[count] = level;
        repetition[count] = repeated;
        index[count++] = -1;
    }
}
