package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.column.ListBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.DataType;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/// Loops over the texts of a column for functions of characters: a Java string per row, results written into the
/// column's memory. Null rows give null.
final class TextKernels {
    private TextKernels() {}

    /// The text of a row.
    static String text(VariableWidthColumn texts, long row) {
        byte[] bytes = texts.dataSegment()
                .asSlice(texts.start(row), texts.end(row) - texts.start(row))
                .toArray(JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// A text from each text.
    static final class Mapped extends ExpressionNode {
        private final ExpressionNode input;
        private final UnaryOperator<String> function;

        Mapped(ExpressionNode input, UnaryOperator<String> function) {
            super(DataType.UTF8);
            this.input = input;
            this.function = function;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    StringColumnBuilder builder = new StringColumnBuilder(rows.allocator(), rows.count())) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                TaskCancellation running = TaskCancellation.ofThread();
                for (long row = 0; row < rows.count(); row++) {
                    running.check();
                    if (texts.isNull(row)) {
                        builder.appendNull();
                    } else {
                        builder.append(function.apply(text(texts, row)));
                    }
                }
                return builder.build();
            }
        }
    }

    /// An int32 from each text.
    static final class Counted extends ExpressionNode {
        private final ExpressionNode input;
        private final ToIntFunction<String> function;

        Counted(ExpressionNode input, ToIntFunction<String> function) {
            super(DataType.INT32);
            this.input = input;
            this.function = function;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                TaskCancellation running = TaskCancellation.ofThread();
                for (long row = 0; row < rows.count(); row++) {
                    running.check();
                    int count = texts.isNull(row) ? 0 : function.applyAsInt(text(texts, row));
                    output.values().setAtIndex(JAVA_INT, row, count);
                }
                return output.build(BitWords.valid(texts));
            }
        }
    }

    /// A list of texts from each text.
    static final class Listed extends ExpressionNode {
        private final ExpressionNode input;
        private final BiConsumer<String, StringColumnBuilder> function;

        /// @param function appends the elements of one list
        Listed(ExpressionNode input, BiConsumer<String, StringColumnBuilder> function) {
            super(DataType.list(DataType.UTF8));
            this.input = input;
            this.function = function;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    ListBuilder builder = new ListBuilder(rows.allocator(), (DataType.ListOf) type(), rows.count())) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                StringColumnBuilder elements = (StringColumnBuilder) builder.elements();
                TaskCancellation running = TaskCancellation.ofThread();
                for (long row = 0; row < rows.count(); row++) {
                    running.check();
                    if (texts.isNull(row)) {
                        builder.appendNull();
                    } else {
                        function.accept(text(texts, row), elements);
                        builder.endValue();
                    }
                }
                return builder.build();
            }
        }
    }

    /// A number from the code points of two texts.
    interface PairFunction {
        /// @throws IllegalArgumentException with the reason, for texts that cannot be compared
        double of(int[] left, int[] right);
    }

    /// An int32 or float64 from each pair of texts.
    static final class Compared extends ExpressionNode {
        private final ExpressionNode left;
        private final ExpressionNode right;
        private final PairFunction function;
        private final Object call;

        /// @param call the text of the call in errors
        Compared(DataType type, ExpressionNode left, ExpressionNode right, PairFunction function, Object call) {
            super(type);
            this.left = left;
            this.right = right;
            this.function = function;
            this.call = call;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn first = left.values(rows);
                    HeldColumn second = right.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                VariableWidthColumn texts = (VariableWidthColumn) first.column();
                VariableWidthColumn others = (VariableWidthColumn) second.column();
                boolean whole = type().equals(DataType.INT32);
                TaskCancellation running = TaskCancellation.ofThread();
                for (long row = 0; row < rows.count(); row++) {
                    running.check();
                    boolean known = rows.isActive(row) && !texts.isNull(row) && !others.isNull(row);
                    double result = known ? compare(texts, others, row) : 0;
                    if (whole) {
                        output.values().setAtIndex(JAVA_INT, row, (int) result);
                    } else {
                        output.values().setAtIndex(JAVA_DOUBLE, row, result);
                    }
                }
                return output.build(BitWords.both(BitWords.valid(texts), BitWords.valid(others)));
            }
        }

        private double compare(VariableWidthColumn texts, VariableWidthColumn others, long row) {
            try {
                return function.of(
                        text(texts, row).codePoints().toArray(),
                        text(others, row).codePoints().toArray());
            } catch (IllegalArgumentException e) {
                throw MillraceException.data(call + ": " + e.getMessage() + ", in row " + row + " of the block.");
            }
        }
    }
}
