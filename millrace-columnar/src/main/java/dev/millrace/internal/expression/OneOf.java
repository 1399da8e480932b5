package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Membership in a list of constants of the operand's type: few are compared one by one, many are looked up in a hash
/// set.
final class OneOf extends PredicateNode {
    private static final int FEW = 4;

    private final ExpressionNode input;
    private final List<ConstantNode> values;
    private final boolean whole;
    private final @Nullable LongLookup numbers;
    private final @Nullable Set<Object> others;

    OneOf(ExpressionNode input, List<ConstantNode> values) {
        this.input = input;
        this.values = List.copyOf(values);
        DataType type = TypePromotion.plain(input.type());
        this.whole =
                FixedOutput.isFixed(type) && !(type instanceof DataType.Float) && !(type instanceof DataType.Decimal);
        boolean many = values.size() > FEW;
        this.numbers = many && whole
                ? new LongLookup(values.stream()
                        .mapToLong(
                                value -> StoredValues.of(type, value.present()).longValue())
                        .toArray())
                : null;
        this.others = many && !whole
                ? values.stream().map(value -> key(value.present())).collect(Collectors.toCollection(HashSet::new))
                : null;
    }

    @Override
    TruthBits truth(EvaluationRows rows) {
        try (HeldColumn held = input.values(rows)) {
            Column column = held.column();
            long[] bits = new long[BitWords.words(rows.count())];
            if (numbers != null) {
                look(
                        numbers,
                        ((FixedWidthColumn) column).values(),
                        ((FixedWidthColumn) column).byteWidth() == 8,
                        bits,
                        rows.count());
            } else if (others != null) {
                look(others, column, bits);
            } else {
                for (ConstantNode value : values) {
                    long[] equal = ComparisonNode.equalTo(column, value.type(), value);
                    for (int i = 0; i < bits.length; i++) {
                        bits[i] |= equal[i];
                    }
                }
            }
            return TruthBits.of(bits, BitWords.valid(column), rows.count());
        }
    }

    private void look(LongLookup among, MemorySegment stored, boolean wide, long[] bits, long rows) {
        for (long row = 0; row < rows; row++) {
            long value = wide ? stored.getAtIndex(JAVA_LONG, row) : stored.getAtIndex(JAVA_INT, row);
            bits[(int) (row >>> 6)] |= (among.contains(value) ? 1L : 0L) << row;
        }
    }

    private void look(Set<Object> among, Column column, long[] bits) {
        for (long row = 0; row < column.length(); row++) {
            Object value = column.value(row);
            if (value != null && among.contains(key(value))) {
                BitWords.set(bits, row);
            }
        }
    }

    private static Object key(Object value) {
        return switch (value) {
            // NaN equals nothing, and the two zeros are equal.
            case Double real -> real.isNaN() ? new Object() : (Object) (real + 0.0);
            case Float real -> real.isNaN() ? new Object() : (Object) (real + 0.0f);
            case byte[] bytes -> ByteBuffer.wrap(bytes);
            default -> value;
        };
    }
}
