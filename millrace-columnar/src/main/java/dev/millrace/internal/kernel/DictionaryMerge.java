package dev.millrace.internal.kernel;

import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.IntBuilder;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/// Merges the dictionaries of several columns: each distinct value once, in the order of first occurrence, and the new
/// index of each old entry. Works on boxed values: dictionaries are small compared with the rows that refer to them.
final class DictionaryMerge {
    private final DictionaryColumn[] sources;
    private final DataType.Dictionary type;
    private final Column dictionary;
    private final int[][] moved;

    private DictionaryMerge(DictionaryColumn[] sources, DataType.Dictionary type, Column dictionary, int[][] moved) {
        this.sources = sources;
        this.type = type;
        this.dictionary = dictionary;
        this.moved = moved;
    }

    static DictionaryMerge of(Allocator allocator, DataType.Dictionary type, DictionaryColumn[] sources) {
        Map<Object, Integer> positions = new HashMap<>();
        int[][] moved = new int[sources.length][];
        try (ColumnBuilder values = ColumnBuilder.of(allocator, type.value(), 16)) {
            for (int i = 0; i < sources.length; i++) {
                Column dictionary = sources[i].dictionary();
                moved[i] = new int[Math.toIntExact(dictionary.length())];
                for (int k = 0; k < moved[i].length; k++) {
                    Object value = dictionary.value(k);
                    Object key = value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
                    Integer position = positions.get(key);
                    if (position == null) {
                        position = positions.size();
                        positions.put(key, position);
                        values.append(value);
                    }
                    moved[i][k] = position;
                }
            }
            return new DictionaryMerge(sources, type, values.build(), moved);
        }
    }

    /// The merged dictionary, with one reference.
    Column dictionary() {
        return dictionary;
    }

    /// Indices into the merged dictionary for runs of the sources.
    Column indices(Allocator allocator, ValueRanges ranges) {
        try (ColumnBuilder indices = ColumnBuilder.of(allocator, type.index(), ranges.total())) {
            for (int i = 0; i < ranges.size(); i++) {
                DictionaryColumn source = sources[ranges.source(i)];
                int[] to = moved[ranges.source(i)];
                for (long row = ranges.from(i); row < ranges.from(i) + ranges.count(i); row++) {
                    if (source.indices().isNull(row)) {
                        indices.appendNull();
                    } else if (indices instanceof IntBuilder ints) {
                        ints.append(to[source.index(row)]);
                    } else {
                        indices.append((Integer) to[source.index(row)]);
                    }
                }
            }
            return indices.build();
        }
    }
}
