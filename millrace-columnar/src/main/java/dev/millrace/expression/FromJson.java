package dev.millrace.expression;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.NullColumn;
import dev.millrace.column.VariableWidthColumn;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.json.JsonCursor;
import dev.millrace.internal.json.JsonNumbers;
import dev.millrace.internal.json.JsonSyntaxException;
import dev.millrace.internal.json.ValueReader;
import dev.millrace.internal.text.TextWords;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Parses JSON texts as values of a type, with the readers of JSON files.
///
/// @param checked whether a text that does not fit is an error; otherwise it gives null
record FromJson(DataType target, boolean checked) implements ColumnFunction {
    FromJson {
        Objects.requireNonNull(target, "type");
    }

    @Override
    public String text(List<String> arguments) {
        return (checked ? "from_json(" : "try_from_json(") + arguments.getFirst() + ", " + target + ")";
    }

    @Override
    public DataType type(List<DataType> arguments) {
        DataType input = arguments.getFirst();
        if (!(input instanceof DataType.Utf8 || input instanceof DataType.Null)) {
            throw MillraceException.user("fromJson: JSON is parsed from a text, not from " + input + ".");
        }
        return target;
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        Column input = arguments.getFirst();
        try (ColumnBuilder builder = ColumnBuilder.of(allocator, target, input.length())) {
            if (input instanceof NullColumn) {
                builder.appendNulls(input.length());
                return builder.build();
            }
            VariableWidthColumn texts = (VariableWidthColumn) input;
            ValueReader reader = ValueReader.of(builder, new JsonNumbers(), true, false);
            JsonCursor in = new JsonCursor();
            TaskCancellation running = TaskCancellation.ofThread();
            for (long row = 0; row < texts.length(); row++) {
                running.check();
                if (texts.isNull(row)) {
                    builder.appendNull();
                } else {
                    read(texts, row, in, reader, builder);
                }
            }
            return builder.build();
        }
    }

    private void read(VariableWidthColumn texts, long row, JsonCursor in, ValueReader reader, ColumnBuilder builder) {
        load(texts, row, in);
        try {
            int end = reader.read(in, in.skipSpace(0), 0);
            while (end < in.limit && isSpace(in.bytes[end])) {
                end++;
            }
            if (end < in.limit) {
                throw JsonSyntaxException.wrong("something follows its value", end);
            }
        } catch (JsonSyntaxException e) {
            if (checked) {
                String place = e.at() < 0 ? "" : " at byte " + e.at();
                throw MillraceException.data("from_json: " + e.getMessage() + place + ", in row " + row
                        + " of the block. tryFromJson gives null instead.");
            }
            builder.truncate(row);
            builder.appendNull();
        }
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    /// Copies a text, and ends it with a line end, because a number ends at the character that follows it.
    private static void load(VariableWidthColumn texts, long row, JsonCursor in) {
        int length = texts.byteLength(row);
        if (in.bytes.length < length + 1 + TextWords.PADDING) {
            in.bytes = new byte[Math.addExact(2 * Math.min(length, 1 << 29), 1 + TextWords.PADDING)];
        }
        MemorySegment.copy(texts.dataSegment(), JAVA_BYTE, texts.start(row), in.bytes, 0, length);
        in.bytes[length] = '\n';
        Arrays.fill(in.bytes, length + 1, length + 1 + TextWords.PADDING, (byte) 0);
        in.limit = length + 1;
    }
}
