package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.type.DataType;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Membership in a list of constants of the operand's type: few are compared one by one, many are looked up.
final class OneOf extends Predicate {
    private static final int FEW = 8;

    private final Node input;
    private final List<Constant> values;
    private final Set<Object> lookup;

    OneOf(Node input, List<Constant> values) {
        this.input = input;
        this.values = List.copyOf(values);
        this.lookup = values.size() <= FEW ? null : new HashSet<>();
        if (lookup != null) {
            values.forEach(value -> lookup.add(key(value.value())));
        }
    }

    @Override
    Truth truth(Rows rows) {
        try (Held held = input.values(rows)) {
            Column column = held.column();
            long[] bits = new long[BitWords.words(rows.count())];
            if (lookup == null) {
                for (Constant value : values) {
                    long[] equal = Comparing.equalTo(column, input.type(), value);
                    for (int i = 0; i < bits.length; i++) {
                        bits[i] |= equal[i];
                    }
                }
            } else {
                look(column, bits);
            }
            return Truth.of(bits, BitWords.valid(column), rows.count());
        }
    }

    private void look(Column column, long[] bits) {
        boolean stored = isStored();
        for (long row = 0; row < column.length(); row++) {
            if (column.isNull(row)) {
                continue;
            }
            Object key = stored
                    ? (Object) StoredValues.at((FixedWidthColumn) column, row).longValue()
                    : key(column.value(row));
            if (lookup.contains(key)) {
                BitWords.set(bits, row);
            }
        }
    }

    private boolean isStored() {
        return FixedOutput.isFixed(input.type()) && !(input.type() instanceof DataType.Float)
                && !(input.type() instanceof DataType.Decimal);
    }

    private Object key(Object value) {
        if (isStored()) {
            return StoredValues.of(input.type(), value).longValue();
        }
        return switch (value) {
            // NaN equals nothing, and the two zeros each other.
            case Double real -> real.isNaN() ? new Object() : (Object) (real + 0.0);
            case Float real -> real.isNaN() ? new Object() : (Object) (real + 0.0f);
            case byte[] bytes -> ByteBuffer.wrap(bytes);
            default -> value;
        };
    }
}
