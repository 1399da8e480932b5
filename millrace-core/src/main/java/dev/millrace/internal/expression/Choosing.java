package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.BooleanColumn;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.Columns;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.NullColumn;
import dev.millrace.column.VariableWidthBuilder;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// `when ... otherwise` and `coalesce`: each row takes its value from one of several operands of one type. An operand
/// is computed for the rows that want it, and not at all if none does.
final class Choosing extends Node {
    /// The condition of each operand, or null where it is taken if it is not null itself.
    private final List<Node> conditions;
    private final List<Node> operands;

    private Choosing(DataType type, List<Node> conditions, List<Node> operands) {
        super(type);
        this.conditions = conditions;
        this.operands = List.copyOf(operands);
    }

    /// @param operands one per condition, and one more for the rest
    static Choosing byCondition(DataType type, List<Node> conditions, List<Node> operands) {
        return new Choosing(type, List.copyOf(conditions), operands);
    }

    static Choosing firstPresent(DataType type, List<Node> operands) {
        return new Choosing(type, null, operands);
    }

    @Override
    Column column(Rows rows) {
        long count = rows.count();
        List<Column> columns = new ArrayList<>();
        try {
            short[] choice = new short[Math.toIntExact(count)];
            long[] open = BitWords.trim(BitWords.all(count), count);
            for (int k = 0; k < operands.size() && !BitWords.isEmpty(open, count); k++) {
                boolean last = k == operands.size() - 1;
                long[] taken = open;
                if (conditions != null && !last) {
                    taken = BitWords.and(conditions.get(k).truth(rows.where(open)).yes(), open);
                }
                boolean wanted = conditions == null || !BitWords.isEmpty(taken, count);
                columns.add(wanted ? operands.get(k).values(rows.where(taken)).column() : new NullColumn(count));
                if (conditions == null && !last) {
                    long[] valid = BitWords.valid(columns.get(k));
                    taken = BitWords.and(open, valid);
                }
                if (k > 0) {
                    mark(choice, taken, (short) k);
                }
                open = BitWords.andNot(open, taken);
            }
            return pick(columns, choice, rows);
        } finally {
            columns.forEach(Column::release);
        }
    }

    private static void mark(short[] choice, long[] taken, short k) {
        for (int w = 0; w < taken.length; w++) {
            for (long bits = taken[w]; bits != 0; bits &= bits - 1) {
                choice[(w << 6) + Long.numberOfTrailingZeros(bits)] = k;
            }
        }
    }

    private Column pick(List<Column> columns, short[] choice, Rows rows) {
        if (columns.isEmpty()) {
            return Columns.empty(type());
        }
        if (columns.size() == 1) {
            return columns.getFirst().retain();
        }
        if (FixedOutput.isFixed(type())) {
            return pickFixed(columns, choice, rows);
        }
        try (ColumnBuilder builder = ColumnBuilder.of(rows.allocator(), type(), rows.count())) {
            for (int row = 0; row < choice.length; row++) {
                Column column = columns.get(choice[row]);
                if (column.isNull(row)) {
                    builder.appendNull();
                } else if (column instanceof VariableWidthColumn text) {
                    ((VariableWidthBuilder) builder).append(text.dataSegment(), text.start(row), text.byteLength(row));
                } else if (column instanceof BooleanColumn booleans) {
                    builder.append(booleans.get(row));
                } else {
                    builder.append(column.value(row));
                }
            }
            return builder.build();
        }
    }

    private Column pickFixed(List<Column> columns, short[] choice, Rows rows) {
        MemorySegment[] values = new MemorySegment[columns.size()];
        long[] valid = null;
        for (int k = 0; k < values.length; k++) {
            Column column = columns.get(k);
            values[k] = column instanceof FixedWidthColumn fixed ? fixed.values() : null;
            valid = column.hasNulls() ? BitWords.all(rows.count()) : valid;
        }
        if (valid != null) {
            for (int row = 0; row < choice.length; row++) {
                if (columns.get(choice[row]).isNull(row)) {
                    BitWords.clear(valid, row);
                }
            }
        }
        try (FixedOutput output = new FixedOutput(type(), rows)) {
            MemorySegment out = output.values();
            int width = FixedOutput.width(type());
            for (int row = 0; row < choice.length; row++) {
                MemorySegment from = values[choice[row]];
                if (from != null) {
                    switch (width) {
                        case 1 -> out.setAtIndex(JAVA_BYTE, row, from.getAtIndex(JAVA_BYTE, row));
                        case 2 -> out.setAtIndex(JAVA_SHORT, row, from.getAtIndex(JAVA_SHORT, row));
                        case 4 -> out.setAtIndex(JAVA_INT, row, from.getAtIndex(JAVA_INT, row));
                        case 8 -> out.setAtIndex(JAVA_LONG, row, from.getAtIndex(JAVA_LONG, row));
                        default -> MemorySegment.copy(from, (long) row * width, out, (long) row * width, width);
                    }
                }
            }
            return output.build(valid);
        }
    }
}
