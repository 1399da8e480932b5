package dev.millrace.internal.transform;

import dev.millrace.column.Column;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.expression.ColumnFunction;
import dev.millrace.internal.kernel.hash.HashMix;
import dev.millrace.internal.kernel.hash.RowHash;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.List;

/// A number from 0 (included) to 1 (excluded) that depends on a value and the seed alone, uniform over many values.
/// Null has one too.
public record KeyShare(long seed) implements ColumnFunction {
    private static final int ROWS_AT_ONCE = 4096;

    @Override
    public String text(List<String> arguments) {
        return "keyShare(" + arguments.getFirst() + ", seed " + seed + ")";
    }

    @Override
    public DataType type(List<DataType> arguments) {
        return DataType.FLOAT64;
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        long rows = arguments.getFirst().length();
        RowHash hash = RowHash.of(arguments);
        long mixedSeed = HashMix.of(seed);
        long[] hashes = new long[(int) Math.min(rows, ROWS_AT_ONCE)];
        try (DoubleBuilder shares = new DoubleBuilder(allocator, DataType.FLOAT64, rows)) {
            for (long from = 0; from < rows; from += ROWS_AT_ONCE) {
                int count = (int) Math.min(ROWS_AT_ONCE, rows - from);
                hash.compute(from, count, hashes);
                for (int i = 0; i < count; i++) {
                    shares.append((HashMix.and(hashes[i], mixedSeed) >>> 11) * 0x1.0p-53);
                }
            }
            return shares.build();
        }
    }
}
