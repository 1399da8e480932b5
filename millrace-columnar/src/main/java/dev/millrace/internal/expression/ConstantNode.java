package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static java.util.Objects.requireNonNull;

import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A literal, or the result of constant folding. Kernels use the value directly; only if a kernel cannot, a column of
/// equal values is created.
final class ConstantNode extends ExpressionNode {
    private final @Nullable Object value;

    /// @param value a Java value of the type as `Column.value` gives it, or null
    ConstantNode(DataType type, @Nullable Object value) {
        super(type);
        this.value = value;
    }

    @Nullable
    Object value() {
        return value;
    }

    /// The value of one that is not null.
    Object present() {
        return requireNonNull(value, "a constant null has no value");
    }

    boolean isNull() {
        return value == null;
    }

    @Override
    Column column(EvaluationRows rows) {
        if (value != null && FixedOutput.isFixed(type()) && !(type() instanceof DataType.Decimal)) {
            return filled(rows, value);
        }
        return value == null
                ? Columns.nulls(rows.allocator(), type(), rows.count())
                : Columns.constant(rows.allocator(), type(), value, rows.count());
    }

    @Override
    TruthBits truth(EvaluationRows rows) {
        return TruthBits.constant((Boolean) value, rows.count());
    }

    private Column filled(EvaluationRows rows, Object present) {
        Column one = Columns.constant(rows.allocator(), type(), present, 1);
        try (FixedOutput output = new FixedOutput(type(), rows)) {
            MemorySegment out = output.values();
            MemorySegment in = ((FixedWidthColumn) one).values();
            switch (FixedOutput.width(type())) {
                case 1 -> out.fill(in.get(JAVA_BYTE, 0));
                case 2 -> {
                    short x = in.get(JAVA_SHORT, 0);
                    for (long i = 0; i < rows.count(); i++) {
                        out.setAtIndex(JAVA_SHORT, i, x);
                    }
                }
                case 4 -> {
                    int x = in.get(JAVA_INT, 0);
                    for (long i = 0; i < rows.count(); i++) {
                        out.setAtIndex(JAVA_INT, i, x);
                    }
                }
                default -> {
                    long x = in.get(JAVA_LONG, 0);
                    for (long i = 0; i < rows.count(); i++) {
                        out.setAtIndex(JAVA_LONG, i, x);
                    }
                }
            }
            return output.build(null);
        } finally {
            one.release();
        }
    }
}
