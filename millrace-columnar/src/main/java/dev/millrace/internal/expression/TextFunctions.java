package dev.millrace.internal.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.column.Column;
import dev.millrace.column.LongColumn;
import dev.millrace.column.StringColumn;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.TextFunction;
import dev.millrace.memory.Buffer;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// String functions that work on the UTF-8 bytes.
final class TextFunctions {
    /// The maximum Java heap that one repeated text may take while it is built.
    private static final long MAX_REPEATED_BYTES = 64L << 20;

    private TextFunctions() {}

    /// A function from text to text.
    abstract static class Made extends ExpressionNode {
        private final ExpressionNode input;

        Made(ExpressionNode input) {
            super(DataType.UTF8);
            this.input = input;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows)) {
                StringColumn texts = (StringColumn) held.column();
                Column whole = whole(texts, rows);
                if (whole != null) {
                    return whole;
                }
                try (StringColumnBuilder builder = new StringColumnBuilder(rows.allocator(), rows.count())) {
                    builder.reserveBytes(texts.extent());
                    for (long row = 0; row < rows.count(); row++) {
                        if (texts.isNull(row)) {
                            builder.appendNull();
                        } else {
                            append(texts.dataSegment(), texts.start(row), texts.end(row), builder);
                        }
                    }
                    return builder.build();
                }
            }
        }

        /// The result for the whole column at once, or null if that is not possible.
        @Nullable
        Column whole(StringColumn texts, EvaluationRows rows) {
            return null;
        }

        abstract void append(MemorySegment data, long start, long end, StringColumnBuilder out);
    }

    /// Lower or upper case: a column of ASCII in one loop, other texts by Java's rules.
    static final class CaseChanged extends Made {
        private final boolean upper;

        CaseChanged(ExpressionNode input, boolean upper) {
            super(input);
            this.upper = upper;
        }

        @Override
        @Nullable
        Column whole(StringColumn texts, EvaluationRows rows) {
            long from = texts.first();
            long extent = texts.extent();
            MemorySegment data = texts.dataSegment();
            if (texts.length() == 0 || from != 0 || !Utf8Text.isAscii(data, from, from + extent)) {
                return null;
            }
            Buffer changed = rows.allocator().allocate(extent);
            MemorySegment.copy(data, 0, changed.segment(), 0, extent);
            Utf8Text.changeCase(changed.segment(), upper);
            Buffer validity = texts.validityBuffer();
            if (validity != null) {
                validity.retain();
            }
            return new StringColumn(
                    texts.length(),
                    texts.offsetsBuffer().retain(),
                    texts.offsetWidth(),
                    changed,
                    validity,
                    texts.offset(),
                    Column.UNKNOWN_NULLS);
        }

        @Override
        void append(MemorySegment data, long start, long end, StringColumnBuilder out) {
            if (Utf8Text.isAscii(data, start, end)) {
                long from = out.byteCount();
                out.append(data, start, end - start);
                Utf8Text.changeCase(out.bytesFrom(from), upper);
                return;
            }
            byte[] bytes = data.asSlice(start, end - start).toArray(JAVA_BYTE);
            String text = new String(bytes, StandardCharsets.UTF_8);
            out.append(upper ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT));
        }
    }

    /// Removes characters at one or both ends, by default blanks (characters up to U+0020).
    static final class Trimmed extends Made {
        private final boolean left;
        private final boolean right;
        /// The characters in UTF-8; null for blanks.
        private final byte @Nullable [][] characters;

        /// @param characters the characters to remove, or null for blanks
        Trimmed(ExpressionNode input, TextFunction function, @Nullable String characters) {
            super(input);
            this.left = function != TextFunction.RTRIM;
            this.right = function != TextFunction.LTRIM;
            this.characters = characters == null
                    ? null
                    : characters
                            .codePoints()
                            .mapToObj(c -> Character.toString(c).getBytes(StandardCharsets.UTF_8))
                            .toArray(byte[][]::new);
        }

        @Override
        void append(MemorySegment data, long start, long end, StringColumnBuilder out) {
            long from = start;
            long to = end;
            int bytes = left ? leading(data, from, to) : 0;
            while (bytes > 0) {
                from += bytes;
                bytes = leading(data, from, to);
            }
            bytes = right ? trailing(data, from, to) : 0;
            while (bytes > 0) {
                to -= bytes;
                bytes = trailing(data, from, to);
            }
            out.append(data, from, to - from);
        }

        /// The number of bytes of the first character if it is to be removed, else 0.
        private int leading(MemorySegment data, long from, long to) {
            if (characters == null) {
                return from < to && isBlank(data.get(JAVA_BYTE, from)) ? 1 : 0;
            }
            for (byte[] character : characters) {
                if (from + character.length <= to && matches(data, from, character)) {
                    return character.length;
                }
            }
            return 0;
        }

        private int trailing(MemorySegment data, long from, long to) {
            if (characters == null) {
                return from < to && isBlank(data.get(JAVA_BYTE, to - 1)) ? 1 : 0;
            }
            for (byte[] character : characters) {
                if (from + character.length <= to && matches(data, to - character.length, character)) {
                    return character.length;
                }
            }
            return 0;
        }

        private static boolean matches(MemorySegment data, long at, byte[] character) {
            for (int i = 0; i < character.length; i++) {
                if (data.get(JAVA_BYTE, at + i) != character[i]) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isBlank(byte b) {
            return b >= 0 && b <= ' ';
        }
    }

    /// Repeats the text.
    static final class Repeated extends ExpressionNode {
        private final ExpressionNode input;
        private final ExpressionNode times;

        Repeated(ExpressionNode input, ExpressionNode times) {
            super(DataType.UTF8);
            this.input = input;
            this.times = times;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    HeldColumn counts = times.values(rows);
                    StringColumnBuilder builder = new StringColumnBuilder(rows.allocator(), rows.count())) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                LongColumn count = (LongColumn) counts.column();
                for (long row = 0; row < rows.count(); row++) {
                    if (texts.isNull(row) || count.isNull(row) || !rows.isActive(row)) {
                        builder.appendNull();
                        continue;
                    }
                    int length = texts.byteLength(row);
                    long bytes = length * Math.max(0, Math.min(count.get(row), Integer.MAX_VALUE));
                    if (bytes > MAX_REPEATED_BYTES) {
                        throw MillraceException.data("repeat: a text of " + length + " bytes " + count.get(row)
                                + " times is longer than the " + MAX_REPEATED_BYTES + " bytes that a text may have, in"
                                + " row " + row + " of the block.");
                    }
                    byte[] once = texts.dataSegment()
                            .asSlice(texts.start(row), length)
                            .toArray(JAVA_BYTE);
                    byte[] all = new byte[(int) bytes];
                    for (int at = 0; at < all.length; at += length) {
                        System.arraycopy(once, 0, all, at, length);
                    }
                    builder.append(all, 0, all.length);
                }
                return builder.build();
            }
        }
    }

    /// The number of code points or bytes of a text, or of bytes of a binary.
    static final class Length extends ExpressionNode {
        private final ExpressionNode input;
        private final boolean bytes;

        Length(ExpressionNode input, boolean bytes) {
            super(DataType.INT32);
            this.input = input;
            this.bytes = bytes || input.type() instanceof DataType.Binary;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    FixedOutput output = new FixedOutput(type(), rows)) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                MemorySegment data = texts.dataSegment();
                boolean plain = bytes || Utf8Text.isAscii(data, texts.first(), texts.first() + texts.extent());
                for (long row = 0; row < rows.count(); row++) {
                    long start = texts.start(row);
                    long end = texts.end(row);
                    int length = plain ? (int) (end - start) : Utf8Text.codePoints(data, start, end);
                    output.values().setAtIndex(JAVA_INT, row, length);
                }
                return output.build(BitWords.valid(texts));
            }
        }
    }

    /// The code points from one index to another, exclusive.
    static final class Substring extends ExpressionNode {
        private final ExpressionNode input;
        private final ExpressionNode begin;
        private final ExpressionNode end;

        /// @param end null: to the end
        Substring(ExpressionNode input, ExpressionNode begin, @Nullable ExpressionNode end) {
            super(DataType.UTF8);
            this.input = input;
            this.begin = begin;
            this.end = end == null ? new ConstantNode(DataType.INT64, Long.MAX_VALUE) : end;
        }

        @Override
        Column column(EvaluationRows rows) {
            try (HeldColumn held = input.values(rows);
                    HeldColumn from = begin.values(rows);
                    HeldColumn to = end.values(rows);
                    StringColumnBuilder builder = new StringColumnBuilder(rows.allocator(), rows.count())) {
                VariableWidthColumn texts = (VariableWidthColumn) held.column();
                LongColumn first = (LongColumn) from.column();
                LongColumn last = (LongColumn) to.column();
                MemorySegment data = texts.dataSegment();
                for (long row = 0; row < rows.count(); row++) {
                    if (texts.isNull(row) || first.isNull(row) || last.isNull(row)) {
                        builder.appendNull();
                        continue;
                    }
                    long skipped = Math.max(0, first.get(row));
                    long kept = Math.max(0, last.get(row) - skipped);
                    long start = Utf8Text.skip(data, texts.start(row), texts.end(row), skipped);
                    builder.append(data, start, Utf8Text.skip(data, start, texts.end(row), kept) - start);
                }
                return builder.build();
            }
        }
    }

    /// The concatenation of the texts; null if one of them is.
    static final class Concatenated extends ExpressionNode {
        private final List<ExpressionNode> parts;

        Concatenated(List<ExpressionNode> parts) {
            super(DataType.UTF8);
            this.parts = List.copyOf(parts);
        }

        @Override
        Column column(EvaluationRows rows) {
            @Nullable VariableWidthColumn[] texts = new @Nullable VariableWidthColumn[parts.size()];
            byte[][] constants = new byte[parts.size()][];
            try (StringColumnBuilder builder = new StringColumnBuilder(rows.allocator(), rows.count())) {
                for (int i = 0; i < texts.length; i++) {
                    if (parts.get(i) instanceof ConstantNode constant) {
                        constants[i] = TextComparison.bytes(constant.present());
                    } else {
                        texts[i] =
                                (VariableWidthColumn) parts.get(i).values(rows).column();
                    }
                }
                byte[] scratch = new byte[256];
                for (long row = 0; row < rows.count(); row++) {
                    int length = length(texts, constants, row);
                    if (length < 0) {
                        builder.appendNull();
                        continue;
                    }
                    scratch = scratch.length < length ? new byte[2 * length] : scratch;
                    fill(texts, constants, row, scratch);
                    builder.append(scratch, 0, length);
                }
                return builder.build();
            } finally {
                for (VariableWidthColumn column : texts) {
                    if (column != null) {
                        column.release();
                    }
                }
            }
        }

        /// The total number of bytes of a row, or -1 if one is null.
        private static int length(@Nullable VariableWidthColumn[] texts, byte[][] constants, long row) {
            int length = 0;
            for (int i = 0; i < texts.length; i++) {
                if (texts[i] != null && texts[i].isNull(row)) {
                    return -1;
                }
                length += texts[i] == null ? constants[i].length : texts[i].byteLength(row);
            }
            return length;
        }

        private static void fill(@Nullable VariableWidthColumn[] texts, byte[][] constants, long row, byte[] to) {
            int at = 0;
            for (int i = 0; i < texts.length; i++) {
                int count = texts[i] == null ? constants[i].length : texts[i].byteLength(row);
                if (texts[i] == null) {
                    System.arraycopy(constants[i], 0, to, at, count);
                } else {
                    MemorySegment.copy(texts[i].dataSegment(), JAVA_BYTE, texts[i].start(row), to, at, count);
                }
                at += count;
            }
        }
    }
}
