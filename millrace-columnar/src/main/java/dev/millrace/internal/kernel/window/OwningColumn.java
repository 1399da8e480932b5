package dev.millrace.internal.kernel.window;

import dev.millrace.column.Column;
import java.util.function.Supplier;

/// A [WindowColumn] together with a column that was made for it.
record OwningColumn(WindowColumn made, Column held) implements WindowColumn {
    /// Takes the column over.
    static WindowColumn over(Column held, Supplier<WindowColumn> maker) {
        try {
            return new OwningColumn(maker.get(), held);
        } catch (RuntimeException | Error e) {
            held.release();
            throw e;
        }
    }

    @Override
    public Column next(int from, int to) {
        return made.next(from, to);
    }

    @Override
    public void close() {
        made.close();
        held.release();
    }
}
