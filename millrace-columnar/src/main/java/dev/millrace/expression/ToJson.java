package dev.millrace.expression;

import dev.millrace.column.Column;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.internal.json.JsonSink;
import dev.millrace.internal.json.ValueWriter;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.util.List;

/// Writes values as JSON texts, with the writer of JSON files.
record ToJson() implements ColumnFunction {
    @Override
    public String text(List<String> arguments) {
        return "to_json(" + arguments.getFirst() + ")";
    }

    @Override
    public DataType type(List<DataType> arguments) {
        return DataType.UTF8;
    }

    @Override
    public Column apply(List<Column> arguments, Allocator allocator) {
        Column input = arguments.getFirst();
        JsonSink out = new JsonSink(null);
        ValueWriter values = new ValueWriter(out, false, false);
        try (StringColumnBuilder builder = new StringColumnBuilder(allocator, input.length())) {
            TaskCancellation running = TaskCancellation.ofThread();
            for (long row = 0; row < input.length(); row++) {
                running.check();
                if (input.isNull(row)) {
                    builder.appendNull();
                } else {
                    values.write(input, row);
                    byte[] text = out.take();
                    builder.append(text, 0, text.length);
                }
            }
            return builder.build();
        }
    }
}
