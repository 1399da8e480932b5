package dev.millrace.internal.kernel.window;

import dev.millrace.column.Column;
import dev.millrace.internal.buffer.ResourceScope;
import java.util.function.Supplier;

/// A [WindowColumn] together with a column that was created for it.
record OwningColumn(WindowColumn made, Column held) implements WindowColumn {
    /// Takes ownership of the column.
    static WindowColumn over(Column held, Supplier<WindowColumn> maker) {
        try (ResourceScope scope = new ResourceScope()) {
            scope.add(held);
            return scope.keep(new OwningColumn(maker.get(), held));
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
