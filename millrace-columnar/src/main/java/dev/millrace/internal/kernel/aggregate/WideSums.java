package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.DecimalColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Intermediate sums of integers in 128 bits: a sum that does not fit int64 yet may fit at the end, when all rows are
/// added. Two words for each group, the lower one first.
final class WideSums {
    /// States of sums of integers have this type if some are beyond int64, else int64. Sums of decimals have one of 38
    /// digits.
    static final DataType TYPE = DataType.decimal(37, 0);

    private WideSums() {}

    static void add(MemorySegment cells, long group, long low, long high) {
        long sum = cells.getAtIndex(JAVA_LONG, 2 * group) + low;
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        cells.setAtIndex(JAVA_LONG, 2 * group, sum);
        cells.setAtIndex(JAVA_LONG, 2 * group + 1, cells.getAtIndex(JAVA_LONG, 2 * group + 1) + high + carry);
    }

    /// The first sum that does not fit int64.
    static @Nullable BigDecimal firstWide(DecimalColumn sums) {
        for (long group = 0; group < sums.length(); group++) {
            if (!sums.isNull(group) && sums.low(group) >> 63 != sums.high(group)) {
                return (BigDecimal) sums.value(group);
            }
        }
        throw new IllegalArgumentException("all sums fit");
    }

    /// Whether all of them fit int64.
    static boolean areNarrow(MemorySegment cells, int groups) {
        for (long group = 0; group < groups; group++) {
            if (cells.getAtIndex(JAVA_LONG, 2 * group) >> 63 != cells.getAtIndex(JAVA_LONG, 2 * group + 1)) {
                return false;
            }
        }
        return true;
    }
}
