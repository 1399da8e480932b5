package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.column.ListBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.text.TextBytes;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.type.DataType;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Loops over the texts of a column for functions of characters; results are written into the column's memory. An ASCII
/// text goes to a function over bytes, if there is one; others become Java strings. Null rows give null.
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
        /// The result for one text, which may be null.
        @FunctionalInterface
        interface ToText {
            @Nullable
            String apply(String text);
        }

        private final ExpressionNode input;
        private final ToText function;
        private final AsciiFunctions.@Nullable ToText ascii;
        private final AsciiText text = new AsciiText();
        private final TextBytes made = new TextBytes(256);

        Mapped(ExpressionNode input, ToText function) {
            this(input, function, null);
        }

        Mapped(ExpressionNode input, ToText function, AsciiFunctions.@Nullable ToText ascii) {
            super(DataType.UTF8);
            this.input = input;
            this.function = function;
            this.ascii = ascii;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    StringColumnBuilder builder = new StringColumnBuilder(rows.allocator(), rows.count())) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                boolean nulls = texts.hasNulls();
                TaskCancellation running = TaskCancellation.ofThread();
                for (long row = 0; row < rows.count(); row++) {
                    running.check();
                    if (nulls && texts.isNull(row) || !rows.isActive(row)) {
                        builder.appendNull();
                    } else if (text.read(texts, row) && ascii != null) {
                        made.clear();
                        if (ascii.apply(text.bytes(), text.length(), made)) {
                            builder.append(made.bytes(), 0, made.size());
                        } else {
                            builder.appendNull();
                        }
                    } else {
                        builder.append((Object) function.apply(text.string()));
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
        private final AsciiFunctions.@Nullable ToNumber ascii;
        private final AsciiText text = new AsciiText();

        Counted(ExpressionNode input, ToIntFunction<String> function, AsciiFunctions.@Nullable ToNumber ascii) {
            super(DataType.INT32);
            this.input = input;
            this.function = function;
            this.ascii = ascii;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                TaskCancellation running = TaskCancellation.ofThread();
                for (long row = 0; row < rows.count(); row++) {
                    running.check();
                    int count = texts.isNull(row) || !rows.isActive(row) ? 0 : count(texts, row);
                    output.values().setAtIndex(JAVA_INT, row, count);
                }
                return output.build(BitWords.valid(texts));
            }
        }

        private int count(VariableWidthColumn texts, long row) {
            return text.read(texts, row) && ascii != null
                    ? ascii.apply(text.bytes(), text.length())
                    : function.applyAsInt(text.string());
        }
    }

    /// Whether each text has a match of a regular expression.
    static final class Matched extends PredicateNode {
        private final ExpressionNode input;
        private final Matcher matcher;
        private final @Nullable OnePassPattern ascii;
        private final AsciiText text = new AsciiText();

        Matched(ExpressionNode input, Pattern pattern) {
            this.input = input;
            this.matcher = pattern.matcher("");
            this.ascii = OnePassPattern.of(pattern);
        }

        @Override
        TruthBits truth(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows)) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                long[] bits = new long[BitWords.words(rows.count())];
                TaskCancellation running = TaskCancellation.ofThread();
                for (long row = 0; row < rows.count(); row++) {
                    running.check();
                    if (!texts.isNull(row) && rows.isActive(row) && matches(texts, row)) {
                        BitWords.set(bits, row);
                    }
                }
                return TruthBits.of(bits, BitWords.valid(texts), rows.count());
            }
        }

        private boolean matches(VariableWidthColumn texts, long row) {
            return text.read(texts, row) && ascii != null
                    ? ascii.find(text.bytes(), text.length(), 0)
                    : matcher.reset(text.string()).find();
        }
    }

    /// A list of texts from each text.
    static final class Listed extends ExpressionNode {
        private final ExpressionNode input;
        private final BiConsumer<String, StringColumnBuilder> function;
        private final AsciiFunctions.@Nullable ToList ascii;
        private final AsciiText text = new AsciiText();

        /// @param function appends the elements of one list
        Listed(ExpressionNode input, BiConsumer<String, StringColumnBuilder> function) {
            this(input, function, null);
        }

        Listed(
                ExpressionNode input,
                BiConsumer<String, StringColumnBuilder> function,
                AsciiFunctions.@Nullable ToList ascii) {
            super(DataType.list(DataType.UTF8));
            this.input = input;
            this.function = function;
            this.ascii = ascii;
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
                    if (texts.isNull(row) || !rows.isActive(row)) {
                        builder.appendNull();
                        continue;
                    }
                    if (text.read(texts, row) && ascii != null) {
                        ascii.apply(text.bytes(), text.length(), elements);
                    } else {
                        function.accept(text.string(), elements);
                    }
                    builder.endValue();
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
