package dev.millrace.internal.kernel.aggregate;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.millrace.column.Column;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sums: of integers as int64, of floats as float64, of decimals as decimals of 38 digits; null if there is nothing to
/// add. A sum that does not fit is an error; whether a sum of integers fits is decided at the end, see [WideSums].
abstract sealed class SumAccumulator extends GroupAccumulator {
    final ValueArrays values;
    final GroupCells sums;
    private final String name;
    private final DataType type;
    /// One byte for each group that has a value; null if every group has one.
    private @Nullable GroupCells seen;
    private int reserved;

    private SumAccumulator(Allocator allocator, Column column, DataType type, int width, String name, int mostRows) {
        super(allocator);
        this.type = type;
        this.name = name;
        this.values = new ValueArrays(column, mostRows, this instanceof Doubles);
        this.sums = new GroupCells(allocator, width);
        this.seen = column.hasNulls() || column.length() == 0 ? new GroupCells(allocator, 1) : null;
    }

    /// @param name in errors
    static SumAccumulator of(Allocator allocator, Column column, String name, int mostRows) {
        return switch (AccumulatorFunctions.plain(column.type())) {
            case DataType.Float _ -> new Doubles(allocator, column, name, mostRows);
            case DataType.Decimal decimal
            when decimal.precision() <= LongWords.MAX_DIGITS ->
                new NarrowDecimals(allocator, column, DataType.decimal(38, decimal.scale()), name, mostRows);
            case DataType.Decimal decimal ->
                new Decimals(allocator, (DecimalColumn) column, DataType.decimal(38, decimal.scale()), name, mostRows);
            case DataType type -> new Longs(allocator, column, type.equals(DataType.UINT64), name, mostRows);
        };
    }

    /// Merges the states of sums of parts of the rows.
    static SumAccumulator merge(Allocator allocator, Column states, String name, int mostRows) {
        return states.type().equals(WideSums.TYPE)
                ? new WideStates(allocator, (DecimalColumn) states, name, mostRows)
                : of(allocator, states, name, mostRows);
    }

    /// The results of states; the caller releases them.
    static Column finish(Column states, String name) {
        if (states.type().equals(WideSums.TYPE)) {
            throw overflow(name, WideSums.firstWide((DecimalColumn) states) + ", beyond " + DataType.INT64);
        }
        return states.retain();
    }

    @Override
    void bind(Column next) {
        values.bind(next);
        if (seen == null && next.hasNulls()) {
            seen = new GroupCells(allocator, 1);
            seen.reserve(reserved);
            seen.segment.asSlice(0, reserved).fill((byte) 1);
        }
    }

    @Override
    void reserve(int groups) {
        reserved = groups;
        sums.reserve(groups);
        if (seen != null) {
            seen.reserve(groups);
        }
    }

    @Override
    final void update(int[] groups, long from, int count) {
        values.select(groups, from, count);
        if (seen != null) {
            values.mark(seen.segment);
        }
        add();
    }

    /// Adds the selected values.
    abstract void add();

    @Override
    List<Column> build(int groups) {
        reserve(groups);
        DataType made = resultType(groups);
        Buffer validity = seen == null ? null : validity(allocator, seen.segment, groups);
        return List.of(FixedWidthColumn.of(made, groups, takeSums(groups), validity, 0, Column.UNKNOWN_NULLS));
    }

    /// The type of the result of [#takeSums].
    DataType resultType(int groups) {
        return type;
    }

    /// The sums in the layout of the result, which the caller owns from here.
    Buffer takeSums(int groups) {
        return sums.take(groups);
    }

    @Override
    public void close() {
        sums.close();
        if (seen != null) {
            seen.close();
        }
    }

    final MillraceException overflow() {
        return overflow(name, "beyond " + type);
    }

    private static MillraceException overflow(String name, String what) {
        return MillraceException.data(name + ": the sum of the column '" + name.substring(4, name.length() - 1)
                + "' is " + what + ". Cast the column to float64 or to a decimal first, e.g."
                + " withColumn(\"wide\", col(...).cast(DataType.FLOAT64)).");
    }

    private static final class Longs extends SumAccumulator {
        private final boolean unsigned;
        /// All sums in 128 bits, from the first overflow on; then `sums` is unused. See [WideSums].
        private @Nullable GroupCells wide;

        private int groupCount;

        Longs(Allocator allocator, Column column, boolean unsigned, String name, int mostRows) {
            super(allocator, column, DataType.INT64, Long.BYTES, name, mostRows);
            this.unsigned = unsigned;
        }

        @Override
        void reserve(int groups) {
            super.reserve(groups);
            groupCount = Math.max(groupCount, groups);
            if (wide != null) {
                wide.reserve(groups);
            }
        }

        @Override
        void add() {
            values.readLongs();
            if (wide != null) {
                addWide(wide);
                return;
            }
            MemorySegment cells = sums.segment;
            int[] groups = values.groups;
            long[] longs = values.longs;
            long wrong = 0;
            for (int i = 0; i < values.count; i++) {
                long a = cells.getAtIndex(JAVA_LONG, groups[i]);
                long b = longs[i];
                long sum = a + b;
                wrong |= (a ^ sum) & (b ^ sum);
                cells.setAtIndex(JAVA_LONG, groups[i], sum);
            }
            for (int i = 0; unsigned && i < values.count; i++) {
                wrong |= longs[i];
            }
            if (wrong < 0) {
                widen();
            }
        }

        /// Subtracts the values that were just added, which undoes the overflow, and adds them again in 128 bits.
        private void widen() {
            MemorySegment cells = sums.segment;
            for (int i = 0; i < values.count; i++) {
                int group = values.groups[i];
                cells.setAtIndex(JAVA_LONG, group, cells.getAtIndex(JAVA_LONG, group) - values.longs[i]);
            }
            wide = new GroupCells(allocator, 2 * Long.BYTES);
            wide.reserve(groupCount);
            for (int group = 0; group < groupCount; group++) {
                long sum = cells.getAtIndex(JAVA_LONG, group);
                WideSums.add(wide.segment, group, sum, sum >> 63);
            }
            addWide(wide);
        }

        private void addWide(GroupCells into) {
            for (int i = 0; i < values.count; i++) {
                long value = values.longs[i];
                WideSums.add(into.segment, values.groups[i], value, unsigned ? 0 : value >> 63);
            }
        }

        @Override
        DataType resultType(int groups) {
            return wide == null || WideSums.areNarrow(wide.segment, groups) ? DataType.INT64 : WideSums.TYPE;
        }

        @Override
        Buffer takeSums(int groups) {
            if (wide != null && resultType(groups).equals(WideSums.TYPE)) {
                return wide.take(groups);
            }
            for (int group = 0; wide != null && group < groups; group++) {
                sums.segment.setAtIndex(JAVA_LONG, group, wide.segment.getAtIndex(JAVA_LONG, 2L * group));
            }
            return super.takeSums(groups);
        }

        @Override
        public void close() {
            super.close();
            if (wide != null) {
                wide.close();
            }
        }
    }

    /// States of sums of integers some of which are beyond int64.
    private static final class WideStates extends SumAccumulator {
        private MemorySegment source;

        WideStates(Allocator allocator, DecimalColumn column, String name, int mostRows) {
            super(allocator, column, DataType.INT64, 2 * Long.BYTES, name, mostRows);
            this.source = column.values();
        }

        @Override
        void bind(Column next) {
            super.bind(next);
            source = ((DecimalColumn) next).values();
        }

        @Override
        void add() {
            for (int i = 0; i < values.count; i++) {
                long row = values.row(i);
                WideSums.add(
                        sums.segment,
                        values.groups[i],
                        source.getAtIndex(JAVA_LONG, 2 * row),
                        source.getAtIndex(JAVA_LONG, 2 * row + 1));
            }
        }

        @Override
        DataType resultType(int groups) {
            return WideSums.areNarrow(sums.segment, groups) ? DataType.INT64 : WideSums.TYPE;
        }

        @Override
        Buffer takeSums(int groups) {
            if (resultType(groups).equals(WideSums.TYPE)) {
                return super.takeSums(groups);
            }
            try (GroupCells narrow = new GroupCells(allocator, Long.BYTES)) {
                narrow.reserve(groups);
                for (int group = 0; group < groups; group++) {
                    narrow.segment.setAtIndex(JAVA_LONG, group, sums.segment.getAtIndex(JAVA_LONG, 2L * group));
                }
                return narrow.take(groups);
            }
        }
    }

    private static final class Doubles extends SumAccumulator {
        Doubles(Allocator allocator, Column column, String name, int mostRows) {
            super(allocator, column, DataType.FLOAT64, Double.BYTES, name, mostRows);
        }

        @Override
        void add() {
            values.readDoubles();
            MemorySegment cells = sums.segment;
            int[] groups = values.groups;
            double[] doubles = values.doubles;
            for (int i = 0; i < values.count; i++) {
                cells.setAtIndex(JAVA_DOUBLE, groups[i], cells.getAtIndex(JAVA_DOUBLE, groups[i]) + doubles[i]);
            }
        }
    }

    private static final class Decimals extends SumAccumulator {
        /// 10^38, the first value that a decimal cannot have: high and low half.
        private static final long LIMIT_HIGH = 0x4B3B4CA85A86C47AL;
        private static final long LIMIT_LOW = 0x098A224000000000L;

        private MemorySegment source;

        Decimals(Allocator allocator, DecimalColumn column, DataType type, String name, int mostRows) {
            super(allocator, column, type, 2 * Long.BYTES, name, mostRows);
            this.source = column.values();
        }

        @Override
        void bind(Column next) {
            super.bind(next);
            source = ((DecimalColumn) next).values();
        }

        @Override
        void add() {
            MemorySegment cells = sums.segment;
            for (int i = 0; i < values.count; i++) {
                long row = values.row(i);
                long cell = 2L * values.groups[i];
                long low = source.getAtIndex(JAVA_LONG, 2 * row);
                long high = source.getAtIndex(JAVA_LONG, 2 * row + 1);
                long before = cells.getAtIndex(JAVA_LONG, cell + 1);
                long sum = cells.getAtIndex(JAVA_LONG, cell) + low;
                long top = before + high + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0);
                if (top >= LIMIT_HIGH || top <= ~LIMIT_HIGH || ((before ^ top) & (high ^ top)) < 0) {
                    checkRange(before, high, top, sum);
                }
                cells.setAtIndex(JAVA_LONG, cell, sum);
                cells.setAtIndex(JAVA_LONG, cell + 1, top);
            }
        }

        private void checkRange(long before, long added, long high, long low) {
            if (((before ^ high) & (added ^ high)) < 0) {
                throw overflow();
            }
            boolean negative = high < 0;
            long top = negative ? ~high + (low == 0 ? 1 : 0) : high;
            long bottom = negative ? -low : low;
            if (top > LIMIT_HIGH || top < 0 || top == LIMIT_HIGH && Long.compareUnsigned(bottom, LIMIT_LOW) >= 0) {
                throw overflow();
            }
        }
    }

    /// Decimals that fit 64 bits, as their sums nearly always do. 10^18 is below 2^60, so another value can be added to
    /// a sum below 2^62 without overflow; a larger sum is moved to 128 bits.
    private static final class NarrowDecimals extends SumAccumulator {
        /// Two words for each group; null as long as nothing was moved there.
        private @Nullable GroupCells aside;

        NarrowDecimals(Allocator allocator, Column column, DataType type, String name, int mostRows) {
            super(allocator, column, type, Long.BYTES, name, mostRows);
        }

        @Override
        void add() {
            values.readLongs();
            MemorySegment cells = sums.segment;
            int[] groups = values.groups;
            long[] longs = values.longs;
            for (int i = 0; i < values.count; i++) {
                int group = groups[i];
                long sum = cells.getAtIndex(JAVA_LONG, group) + longs[i];
                cells.setAtIndex(JAVA_LONG, group, sum);
                if ((sum ^ sum << 1) < 0) {
                    putAside(group);
                }
            }
        }

        private void putAside(int group) {
            if (aside == null) {
                aside = new GroupCells(allocator, 2 * Long.BYTES);
            }
            aside.reserve(group + 1L);
            long sum = sums.segment.getAtIndex(JAVA_LONG, group);
            sums.segment.setAtIndex(JAVA_LONG, group, 0L);
            add(aside.segment, group, sum);
        }

        private static void add(MemorySegment cells, int group, long value) {
            long low = cells.getAtIndex(JAVA_LONG, 2L * group) + value;
            long carry = Long.compareUnsigned(low, value) < 0 ? 1 : 0;
            long high = cells.getAtIndex(JAVA_LONG, 2L * group + 1) + (value >> 63) + carry;
            cells.setAtIndex(JAVA_LONG, 2L * group, low);
            cells.setAtIndex(JAVA_LONG, 2L * group + 1, high);
        }

        /// 2^63 values of 18 digits have 37 at most, so nothing overflows.
        @Override
        Buffer takeSums(int groups) {
            if (aside == null) {
                aside = new GroupCells(allocator, 2 * Long.BYTES);
            }
            aside.reserve(groups);
            for (int group = 0; group < groups; group++) {
                add(aside.segment, group, sums.segment.getAtIndex(JAVA_LONG, group));
            }
            return aside.take(groups);
        }

        @Override
        public void close() {
            super.close();
            if (aside != null) {
                aside.close();
            }
        }
    }
}
