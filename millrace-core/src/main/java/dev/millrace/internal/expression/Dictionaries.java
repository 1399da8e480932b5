package dev.millrace.internal.expression;

import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.column.VariableWidthBuilder;
import dev.millrace.column.VariableWidthColumn;

/// Dictionary columns as plain ones.
final class Dictionaries {
    private Dictionaries() {}

    /// The values of a dictionary column, which is released; any other column as it is.
    static Column decode(Column column, Rows rows) {
        if (!(column instanceof DictionaryColumn coded)) {
            return column;
        }
        try (ColumnBuilder builder =
                ColumnBuilder.of(rows.allocator(), coded.type().value(), column.length())) {
            boolean text = coded.dictionary() instanceof VariableWidthColumn;
            for (long i = 0; i < column.length(); i++) {
                if (coded.isNull(i)) {
                    builder.appendNull();
                } else if (text) {
                    VariableWidthColumn words = (VariableWidthColumn) coded.dictionary();
                    int word = coded.index(i);
                    ((VariableWidthBuilder) builder)
                            .append(words.dataSegment(), words.start(word), words.byteLength(word));
                } else {
                    builder.append(coded.value(i));
                }
            }
            return builder.build();
        } finally {
            column.release();
        }
    }
}
