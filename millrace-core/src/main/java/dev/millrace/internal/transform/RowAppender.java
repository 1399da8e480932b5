package dev.millrace.internal.transform;

import dev.millrace.batch.Row;
import dev.millrace.batch.RowCursor;
import dev.millrace.batch.ValueRow;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.memory.Allocator;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Writes rows without a declared schema: the first row decides, a later one that differs widens the schema. A missing
/// column of a row becomes null, a new column is null in the rows before it, and a type becomes the common one.
///
/// The common case, a row with the same names as the previous one, costs one comparison per column.
final class RowAppender implements RowSink {
    private final Allocator allocator;
    private String[] names = {};
    private ColumnSlot[] slots = {};
    private long rows;
    private long expected = 64;
    private long markedRows;
    private int markedColumns;

    RowAppender(Allocator allocator) {
        this.allocator = allocator;
    }

    @Override
    public void append(Object item) {
        switch (item) {
            case ValueRow row -> append(row.namesAndValues());
            case RowCursor cursor -> append(cursor);
            case Row row -> append(Row.of(row.asMap()));
            default -> throw MillraceException.internal("a row function returned a " + item.getClass());
        }
    }

    @SuppressWarnings("ReferenceEquality") // rows of one function share their names; equal ones are found by name
    private void append(Object[] pairs) {
        String[] known = names;
        ColumnSlot[] all = slots;
        int count = pairs.length >> 1;
        if (count == known.length) {
            int i = 0;
            while (i < count && pairs[2 * i] == known[i]) {
                all[i].append(pairs[2 * i + 1]);
                i++;
            }
            if (i == count) {
                rows++;
                return;
            }
            appendByName(pairs, i);
            return;
        }
        appendByName(pairs, 0);
    }

    /// Appends the pairs from `from` on, wherever their columns are; then null for the missing columns of the row.
    private void appendByName(Object[] pairs, int from) {
        for (int i = from; 2 * i < pairs.length; i++) {
            String name = (String) pairs[2 * i];
            slot(name, i).append(pairs[2 * i + 1]);
        }
        endRow();
    }

    private void append(RowCursor cursor) {
        Schema schema = cursor.schema();
        for (int i = 0; i < schema.size(); i++) {
            Column column = cursor.column(i);
            slot(schema.field(i).name(), i).append(column, cursor.position());
        }
        endRow();
    }

    private void endRow() {
        rows++;
        for (ColumnSlot slot : slots) {
            if (slot.length() < rows) {
                slot.append(null);
            }
        }
    }

    /// The column of a name, which has no value for the current row yet.
    ///
    /// @param guess its probable position
    private ColumnSlot slot(String name, int guess) {
        int at = guess < names.length && names[guess].equals(name)
                ? guess
                : Arrays.asList(names).indexOf(name);
        if (at < 0) {
            at = names.length;
            ColumnSlot added = new ColumnSlot(allocator, name, expected);
            slots = Arrays.copyOf(slots, at + 1);
            slots[at] = added;
            names = Arrays.copyOf(names, at + 1);
            names[at] = name;
            added.appendNulls(rows);
        } else if (slots[at].length() > rows) {
            throw MillraceException.user(
                    "It returned a row with two columns named '" + name + "'. Column names must be unique.");
        }
        return slots[at];
    }

    @Override
    public void mark() {
        markedRows = rows;
        markedColumns = slots.length;
    }

    @Override
    public void backToMark() {
        for (int i = markedColumns; i < slots.length; i++) {
            slots[i].close();
        }
        slots = Arrays.copyOf(slots, markedColumns);
        names = Arrays.copyOf(names, markedColumns);
        rows = markedRows;
        for (ColumnSlot slot : slots) {
            slot.truncate(rows);
        }
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public long sizeBytes() {
        long bytes = 0;
        for (ColumnSlot slot : slots) {
            bytes += slot.sizeBytes();
        }
        return bytes;
    }

    @Override
    public Block build() {
        // A chunk is full by its bytes; for a few rows of many bytes no larger reservation is needed.
        expected = Math.max(1, rows + rows / 8);
        List<Field> fields = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            List<Column> columns = scope.list();
            for (ColumnSlot slot : slots) {
                columns.add(slot.build(expected));
                fields.add(new Field(slot.name(), columns.getLast().type()));
            }
            Block block = Block.of(Schema.of(fields), columns, rows);
            rows = 0;
            return scope.keep(block);
        }
    }

    @Override
    public boolean knowsColumns() {
        return slots.length > 0;
    }

    @Override
    public void close() {
        for (ColumnSlot slot : slots) {
            slot.close();
        }
    }
}
