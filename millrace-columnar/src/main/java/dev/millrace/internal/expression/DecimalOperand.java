package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.ByteColumn;
import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.IntColumn;
import dev.millrace.column.LongColumn;
import dev.millrace.column.ShortColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// An operand of arithmetic on decimals: a column or constant of decimals or integers. Its unscaled values are read as
/// longs, a stretch of rows at a time; values that are no longs are read one by one.
final class DecimalOperand implements AutoCloseable {
    /// The largest stretch.
    static final int CHUNK = 1024;

    /// The powers of ten that are longs.
    private static final long[] POWERS = new long[19];

    static {
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = POWERS[i - 1] * 10;
        }
    }

    /// The unscaled values of the latest stretch; of null rows anything.
    final long[] words = new long[CHUNK];

    private final @Nullable FixedWidthColumn column;
    private final @Nullable BigDecimal constant;
    /// The unscaled value of the constant, if it is a long.
    private final long word;

    private final boolean isLong;
    private final int scale;
    private final long most;

    private DecimalOperand(@Nullable FixedWidthColumn column, @Nullable BigDecimal constant, DataType type) {
        this.column = column;
        this.constant = constant;
        this.scale = type instanceof DataType.Decimal decimal ? decimal.scale() : 0;
        this.most = type instanceof DataType.Decimal decimal ? mostOf(decimal.precision()) : Long.MAX_VALUE;
        if (constant == null) {
            this.word = 0;
            this.isLong = false;
        } else {
            BigInteger unscaled = constant.setScale(scale).unscaledValue();
            this.isLong = unscaled.bitLength() < Long.SIZE;
            this.word = unscaled.longValue();
        }
    }

    /// Evaluates the node.
    static DecimalOperand of(ExpressionNode node, EvaluationRows rows) {
        DataType type = TypePromotion.plain(node.type());
        if (node instanceof ConstantNode value) {
            return new DecimalOperand(null, decimal(value.present()), type);
        }
        return new DecimalOperand((FixedWidthColumn) node.values(rows).column(), null, type);
    }

    /// A column that the caller keeps: it is not to be closed.
    static DecimalOperand over(FixedWidthColumn column) {
        return new DecimalOperand(column, null, column.type());
    }

    static boolean isPower(int exponent) {
        return exponent >= 0 && exponent < POWERS.length;
    }

    /// A power of ten for which [#isPower] is true.
    static long power(int exponent) {
        return POWERS[exponent];
    }

    /// The largest long of so many digits.
    static long mostOf(int digits) {
        return digits < POWERS.length ? POWERS[digits] - 1 : Long.MAX_VALUE;
    }

    int scale() {
        return scale;
    }

    /// The rows that are not null; null if all are.
    long @Nullable [] valid() {
        return column == null ? null : BitWords.valid(column);
    }

    /// Reads rows `from` to `from + count` into [#words], which the caller may change.
    ///
    /// @return false if one of them, even a null row, is no long with the digits of the type
    boolean read(long from, int count) {
        if (column == null) {
            Arrays.fill(words, 0, count, word);
            return isLong;
        }
        return load(column, from, count) && areWithin(count);
    }

    private boolean areWithin(int count) {
        long least = 0;
        long greatest = 0;
        for (int i = 0; i < count; i++) {
            least = Math.min(least, words[i]);
            greatest = Math.max(greatest, words[i]);
        }
        return least >= -most && greatest <= most;
    }

    private boolean load(Column values, long from, int count) {
        return switch (values) {
            case DecimalColumn decimals -> {
                MemorySegment stored = decimals.values();
                long wide = 0;
                for (int i = 0; i < count; i++) {
                    long low = stored.getAtIndex(JAVA_LONG, 2 * (from + i));
                    wide |= stored.getAtIndex(JAVA_LONG, 2 * (from + i) + 1) ^ low >> Long.SIZE - 1;
                    words[i] = low;
                }
                yield wide == 0;
            }
            case LongColumn longs -> {
                MemorySegment.copy(longs.values(), JAVA_LONG, from * Long.BYTES, words, 0, count);
                yield isSigned(longs);
            }
            case IntColumn ints -> {
                for (int i = 0; i < count; i++) {
                    words[i] = ints.get(from + i);
                }
                yield isSigned(ints);
            }
            case ShortColumn shorts -> {
                for (int i = 0; i < count; i++) {
                    words[i] = shorts.toInt(from + i);
                }
                yield true;
            }
            case ByteColumn bytes -> {
                for (int i = 0; i < count; i++) {
                    words[i] = bytes.toInt(from + i);
                }
                yield true;
            }
            // Types that are no decimal and no integer: the types of an expression do not let them come here.
            default -> throw new IllegalArgumentException(values.type() + " is no number that is exact");
        };
    }

    private static boolean isSigned(Column values) {
        return !(values.type() instanceof DataType.Int integer) || integer.signed();
    }

    /// The value of a row that is not null.
    BigDecimal exact(long row) {
        if (constant != null) {
            return constant;
        }
        Object value = column == null ? null : column.value(row);
        if (value == null) {
            throw new IllegalArgumentException("row " + row + " is null");
        }
        return decimal(value);
    }

    static BigDecimal decimal(Object value) {
        return switch (value) {
            case BigDecimal decimal -> decimal;
            case BigInteger big -> new BigDecimal(big);
            default -> BigDecimal.valueOf(((Number) value).longValue());
        };
    }

    /// Writes the unscaled value of a decimal.
    static void put(MemorySegment out, long row, BigInteger unscaled) {
        out.setAtIndex(JAVA_LONG, 2 * row, unscaled.longValue());
        out.setAtIndex(JAVA_LONG, 2 * row + 1, unscaled.shiftRight(Long.SIZE).longValue());
    }

    @Override
    public void close() {
        if (column != null) {
            column.release();
        }
    }
}
