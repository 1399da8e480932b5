package dev.millrace.internal.json;

import dev.millrace.column.Column;

/// Converts single values of columns to JSON texts. One thread.
public final class ValueTexts {
    private final JsonSink out = new JsonSink(null);
    private final ValueWriter values = new ValueWriter(out, false, false);

    public byte[] of(Column column, long row) {
        out.clear();
        values.write(column, row);
        return out.toArray();
    }
}
