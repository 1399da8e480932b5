package dev.millrace.internal.json;

import dev.millrace.column.Column;

/// Values of columns as JSON texts of their own. One thread.
public final class ValueTexts {
    private final JsonSink out = new JsonSink(null);
    private final ValueWriter values = new ValueWriter(out, false, false);

    public byte[] of(Column column, long row) {
        out.clear();
        values.write(column, row);
        return out.toArray();
    }
}
