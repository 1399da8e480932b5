package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.BitFunction;
import dev.millrace.expression.Call;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Functions of the bits of integers. All are computed in 64 bits: narrow integers are widened before, with their sign,
/// and cut to their width after.
final class BitKernels {
    private BitKernels() {}

    static DataType result(BitFunction function, Call call, List<DataType> types) {
        for (int i = 0; i < types.size(); i++) {
            CallArguments.requireInteger(call, i, types.get(i));
        }
        DataType type = types.getFirst() instanceof DataType.Null ? DataType.INT64 : types.getFirst();
        return switch (function) {
            case BIT_AND, BIT_OR, BIT_XOR -> {
                DataType other = TypePromotion.besides(call.arguments().get(1), types.get(1), type);
                DataType first = TypePromotion.besides(call.arguments().get(0), type, types.get(1));
                DataType common = TypePromotion.common(first, other);
                if (!(common instanceof DataType.Int)) {
                    throw MillraceException.user(call + ": " + type + " and " + other
                            + " have no common type of integers. Cast one of them.");
                }
                yield common;
            }
            case BIT_NOT, SHIFT_LEFT, SHIFT_RIGHT -> type;
            case BIT_COUNT -> DataType.INT32;
        };
    }

    static ExpressionNode bind(BitFunction function, Call call, DataType result, List<ExpressionNode> arguments) {
        return switch (function) {
            case BIT_COUNT -> {
                DataType.Int type =
                        (DataType.Int) TypePromotion.plain(arguments.getFirst().type());
                yield new Counted(wide(arguments.getFirst(), type, call), type.signed() ? type.bits() : Long.SIZE);
            }
            case BIT_NOT -> {
                ExpressionNode all = new ConstantNode(DataType.INT64, -1L);
                yield combined(BitFunction.BIT_XOR, call, (DataType.Int) result, arguments.getFirst(), all);
            }
            case BIT_AND, BIT_OR, BIT_XOR ->
                combined(
                        function,
                        call,
                        (DataType.Int) result,
                        arguments.get(0),
                        wide(arguments.get(1), (DataType.Int) result, call));
            case SHIFT_LEFT, SHIFT_RIGHT ->
                combined(
                        function,
                        call,
                        (DataType.Int) result,
                        arguments.get(0),
                        CastNode.cast(arguments.get(1), DataType.INT64, true, call));
        };
    }

    private static ExpressionNode combined(
            BitFunction function, Call call, DataType.Int result, ExpressionNode left, ExpressionNode right) {
        Combined wide = new Combined(function, call, result, wide(left, result, call), right);
        return result.bits() == Long.SIZE ? wide : CastNode.cast(wide, result, true, call);
    }

    /// As int64, or uint64, which is stored alike.
    private static ExpressionNode wide(ExpressionNode input, DataType.Int type, Call call) {
        return CastNode.cast(input, type.equals(DataType.UINT64) ? type : DataType.INT64, true, call);
    }

    /// Two integers of 64 bits to one, cut to the width of a type.
    private static final class Combined extends ExpressionNode {
        private final BitFunction function;
        private final Call call;
        private final DataType.Int target;
        private final ExpressionNode left;
        private final ExpressionNode right;

        Combined(BitFunction function, Call call, DataType.Int target, ExpressionNode left, ExpressionNode right) {
            super(target.equals(DataType.UINT64) ? target : DataType.INT64);
            this.function = function;
            this.call = call;
            this.target = target;
            this.left = left;
            this.right = right;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn a = left.values(rows);
                    HeldColumn b = right.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                MemorySegment x = ((FixedWidthColumn) a.column()).values();
                MemorySegment y = ((FixedWidthColumn) b.column()).values();
                combine(x, y, output.values(), rows.count());
                if (function == BitFunction.SHIFT_LEFT || function == BitFunction.SHIFT_RIGHT) {
                    checkShifts(b.column(), a.column(), y, rows);
                }
                cut(output.values(), rows.count());
                return output.build(BitWords.both(BitWords.valid(a.column()), BitWords.valid(b.column())));
            }
        }

        private void combine(MemorySegment x, MemorySegment y, MemorySegment out, long rows) {
            switch (function) {
                case BIT_AND -> {
                    for (long i = 0; i < rows; i++) {
                        out.setAtIndex(JAVA_LONG, i, x.getAtIndex(JAVA_LONG, i) & y.getAtIndex(JAVA_LONG, i));
                    }
                }
                case BIT_OR -> {
                    for (long i = 0; i < rows; i++) {
                        out.setAtIndex(JAVA_LONG, i, x.getAtIndex(JAVA_LONG, i) | y.getAtIndex(JAVA_LONG, i));
                    }
                }
                case BIT_XOR -> {
                    for (long i = 0; i < rows; i++) {
                        out.setAtIndex(JAVA_LONG, i, x.getAtIndex(JAVA_LONG, i) ^ y.getAtIndex(JAVA_LONG, i));
                    }
                }
                case SHIFT_LEFT -> {
                    for (long i = 0; i < rows; i++) {
                        long by = y.getAtIndex(JAVA_LONG, i);
                        out.setAtIndex(JAVA_LONG, i, by >= Long.SIZE ? 0 : x.getAtIndex(JAVA_LONG, i) << by);
                    }
                }
                case SHIFT_RIGHT -> {
                    boolean logical = target.equals(DataType.UINT64);
                    for (long i = 0; i < rows; i++) {
                        long by = y.getAtIndex(JAVA_LONG, i);
                        long value = x.getAtIndex(JAVA_LONG, i);
                        long shifted = logical ? by >= Long.SIZE ? 0 : value >>> by : value >> Math.min(by, 63);
                        out.setAtIndex(JAVA_LONG, i, shifted);
                    }
                }
                case BIT_NOT, BIT_COUNT -> throw new IllegalArgumentException(function + " takes one integer");
            }
        }

        private void checkShifts(Column shifts, Column values, MemorySegment y, EvaluationRows rows) {
            for (long i = 0; i < rows.count(); i++) {
                long by = y.getAtIndex(JAVA_LONG, i);
                if (by < 0 && rows.isActive(i) && !shifts.isNull(i) && !values.isNull(i)) {
                    throw MillraceException.data(
                            call + ": shifts by " + by + " bits are not possible, in row " + i + " of the block.");
                }
            }
        }

        private void cut(MemorySegment out, long rows) {
            int spare = Long.SIZE - target.bits();
            if (spare == 0) {
                return;
            }
            if (target.signed()) {
                for (long i = 0; i < rows; i++) {
                    out.setAtIndex(JAVA_LONG, i, out.getAtIndex(JAVA_LONG, i) << spare >> spare);
                }
            } else {
                for (long i = 0; i < rows; i++) {
                    out.setAtIndex(JAVA_LONG, i, out.getAtIndex(JAVA_LONG, i) << spare >>> spare);
                }
            }
        }
    }

    /// The number of bits that are set among the low ones.
    private static final class Counted extends ExpressionNode {
        private final ExpressionNode input;
        private final long mask;

        Counted(ExpressionNode input, int bits) {
            super(DataType.INT32);
            this.input = input;
            this.mask = bits == Long.SIZE ? -1L : (1L << bits) - 1;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                MemorySegment in = ((FixedWidthColumn) held.column()).values();
                for (long i = 0; i < rows.count(); i++) {
                    int bits = Long.bitCount(in.getAtIndex(JAVA_LONG, i) & mask);
                    output.values().setAtIndex(JAVA_INT, i, bits);
                }
                return output.build(BitWords.valid(held.column()));
            }
        }
    }
}
