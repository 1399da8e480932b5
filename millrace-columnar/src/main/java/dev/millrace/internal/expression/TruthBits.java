package dev.millrace.internal.expression;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.FixedListColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.OffsetColumn;
import dev.millrace.column.StructColumn;
import dev.millrace.column.VariableTensorColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import org.jspecify.annotations.Nullable;

/// The three-valued result of a condition for each row, as bits: `yes` where it is true (no bits after the last row),
/// `known` where it is true or false; null if it is known for all rows.
record TruthBits(long[] yes, long @Nullable [] known, long rows) {

    /// From bits that are valid only where the operands are known.
    static TruthBits of(long[] yes, long @Nullable [] known, long rows) {
        return new TruthBits(BitWords.trim(BitWords.and(yes, known), rows), known, rows);
    }

    static TruthBits of(Column column) {
        return switch (column) {
            case BooleanColumn booleans -> of(BitWords.values(booleans), BitWords.valid(column), column.length());
            case NullColumn _ -> unknown(column.length());
            case DictionaryColumn _,
                    FixedListColumn _,
                    FixedWidthColumn _,
                    OffsetColumn _,
                    StructColumn _,
                    VariableTensorColumn _ -> throw MillraceException.internal("a condition of type " + column.type());
        };
    }

    static TruthBits constant(@Nullable Boolean value, long rows) {
        return value == null
                ? unknown(rows)
                : of(value ? BitWords.all(rows) : new long[BitWords.words(rows)], null, rows);
    }

    static TruthBits unknown(long rows) {
        return new TruthBits(new long[BitWords.words(rows)], new long[BitWords.words(rows)], rows);
    }

    /// The rows for which it is false (not null).
    long[] no() {
        return BitWords.trim(BitWords.andNot(known, yes), rows);
    }

    TruthBits and(TruthBits other) {
        long[] both = BitWords.and(yes, other.yes);
        if (known == null && other.known == null) {
            return new TruthBits(both, null, rows);
        }
        return new TruthBits(both, either(both, either(no(), other.no())), rows);
    }

    TruthBits or(TruthBits other) {
        long[] any = either(yes, other.yes);
        if (known == null && other.known == null) {
            return new TruthBits(any, null, rows);
        }
        return new TruthBits(any, either(any, BitWords.and(no(), other.no())), rows);
    }

    TruthBits not() {
        return new TruthBits(no(), known, rows);
    }

    private static long[] either(long[] a, long[] b) {
        long[] any = new long[a.length];
        for (int i = 0; i < any.length; i++) {
            any[i] = a[i] | b[i];
        }
        return any;
    }

    /// The result as a column, with one reference to each buffer.
    BooleanColumn toColumn(Allocator allocator) {
        long unknown = known == null ? 0 : rows - BitWords.count(known, rows);
        try (ResourceScope scope = new ResourceScope()) {
            Buffer data = scope.add(BitWords.toBuffer(yes, rows, allocator));
            Buffer validity = known == null || unknown == 0 ? null : BitWords.toBuffer(known, rows, allocator);
            return scope.keep(new BooleanColumn(rows, data, validity, 0, unknown));
        }
    }
}
