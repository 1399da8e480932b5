package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.Columns;
import dev.millrace.column.FixedWidthColumn;
import dev.millrace.column.VariableWidthBuilder;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `when ... otherwise` and `coalesce`: each row takes its value from one of several operands of one type. An operand
/// is evaluated only for the rows that select it, and not at all if none does.
final class ConditionalNode extends ExpressionNode {
    /// The condition of each operand, or null if the operand is selected when it is not null itself.
    private final @Nullable List<ExpressionNode> conditions;
    private final List<ExpressionNode> operands;

    private ConditionalNode(DataType type, @Nullable List<ExpressionNode> conditions, List<ExpressionNode> operands) {
        super(type);
        this.conditions = conditions;
        this.operands = List.copyOf(operands);
    }

    /// @param operands one per condition, and one more for the remaining rows
    static ConditionalNode byCondition(DataType type, List<ExpressionNode> conditions, List<ExpressionNode> operands) {
        return new ConditionalNode(type, List.copyOf(conditions), operands);
    }

    static ConditionalNode firstPresent(DataType type, List<ExpressionNode> operands) {
        return new ConditionalNode(type, null, operands);
    }

    /// An evaluated operand and the rows that select it.
    private record Part(Column column, long[] taken) {}

    @Override
    Column column(EvaluationRows rows) {
        List<Part> parts = new ArrayList<>();
        try {
            compute(rows, parts);
            if (parts.isEmpty()) {
                return Columns.empty(type());
            }
            if (parts.size() == 1) {
                return parts.getFirst().column().retain();
            }
            return FixedOutput.isFixed(type()) ? mergeFixed(parts, rows) : merge(parts, rows);
        } finally {
            parts.forEach(part -> part.column().release());
        }
    }

    private void compute(EvaluationRows rows, List<Part> parts) {
        long count = rows.count();
        long[] open = BitWords.trim(BitWords.all(count), count);
        for (int k = 0; k < operands.size() && !BitWords.isEmpty(open, count); k++) {
            boolean last = k == operands.size() - 1;
            long[] taken = conditions == null || last
                    ? open
                    : BitWords.and(conditions.get(k).truth(rows.where(open)).yes(), open);
            if (BitWords.isEmpty(taken, count)) {
                continue;
            }
            Column column = operands.get(k).values(rows.where(taken)).column();
            taken = conditions == null && !last ? BitWords.and(taken, BitWords.valid(column)) : taken;
            parts.add(new Part(column, taken));
            open = BitWords.andNot(open, taken);
        }
    }

    private Column mergeFixed(List<Part> parts, EvaluationRows rows) {
        int width = FixedOutput.width(type());
        long[] valid = new long[BitWords.words(rows.count())];
        try (FixedOutput output = new FixedOutput(type(), rows)) {
            for (Part part : parts) {
                copy(((FixedWidthColumn) part.column()).values(), output.values(), part.taken(), width);
                long[] present = BitWords.and(part.taken(), BitWords.valid(part.column()));
                for (int w = 0; w < valid.length; w++) {
                    valid[w] |= present[w];
                }
            }
            return output.build(valid);
        }
    }

    private static void copy(MemorySegment from, MemorySegment to, long[] taken, int width) {
        for (int w = 0; w < taken.length; w++) {
            long first = (long) w << 6;
            if (taken[w] == -1L) {
                MemorySegment.copy(from, first * width, to, first * width, 64L * width);
                continue;
            }
            for (long bits = taken[w]; bits != 0; bits &= bits - 1) {
                long row = first + Long.numberOfTrailingZeros(bits);
                switch (width) {
                    case 1 -> to.setAtIndex(JAVA_BYTE, row, from.getAtIndex(JAVA_BYTE, row));
                    case 2 -> to.setAtIndex(JAVA_SHORT, row, from.getAtIndex(JAVA_SHORT, row));
                    case 4 -> to.setAtIndex(JAVA_INT, row, from.getAtIndex(JAVA_INT, row));
                    case 8 -> to.setAtIndex(JAVA_LONG, row, from.getAtIndex(JAVA_LONG, row));
                    default -> MemorySegment.copy(from, row * width, to, row * width, width);
                }
            }
        }
    }

    private Column merge(List<Part> parts, EvaluationRows rows) {
        short[] choice = new short[Math.toIntExact(rows.count())];
        for (int k = 1; k < parts.size(); k++) {
            long[] taken = parts.get(k).taken();
            for (int w = 0; w < taken.length; w++) {
                for (long bits = taken[w]; bits != 0; bits &= bits - 1) {
                    choice[(w << 6) + Long.numberOfTrailingZeros(bits)] = (short) k;
                }
            }
        }
        try (ColumnBuilder builder = ColumnBuilder.of(rows.allocator(), type(), rows.count())) {
            for (int row = 0; row < choice.length; row++) {
                Column column = parts.get(choice[row]).column();
                if (column.isNull(row)) {
                    builder.appendNull();
                } else if (column instanceof VariableWidthColumn text) {
                    ((VariableWidthBuilder) builder).append(text.dataSegment(), text.start(row), text.byteLength(row));
                } else {
                    builder.append(column.value(row));
                }
            }
            return builder.build();
        }
    }
}
