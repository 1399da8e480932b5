package dev.millrace.internal.source;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.source.Split;
import dev.millrace.type.Schema;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Cuts an iterator of rows into splits as they are asked for. The iterator is closed at its end, or with this.
final class IteratorSplits implements Iterator<Split>, AutoCloseable {
    private static final int LOOK_AHEAD = 1000;
    /// A guess at a value's bytes in a column: decides only on the size of splits.
    private static final long VALUE_BYTES = 16;

    private final Iterator<?> rows;
    private final long splitBytes;
    /// Null until the first rows tell it.
    private @Nullable Schema schema;

    private long read;
    private boolean closed;

    /// @param schema the rows' columns, or null to find out
    IteratorSplits(Iterator<?> rows, @Nullable Schema schema, long splitBytes) {
        this.rows = rows;
        this.splitBytes = splitBytes;
        this.schema = schema;
    }

    @Override
    public boolean hasNext() {
        boolean more = !closed && rows.hasNext();
        if (!more) {
            close();
        }
        return more;
    }

    @Override
    public Split next() {
        return schema == null ? first() : split(schema, following(schema.names()));
    }

    private Split split(Schema schema, Object[][] values) {
        ItemsSplit split =
                new ItemsSplit(schema, values, IntStream.range(0, schema.size()).toArray(), read);
        read += values.length;
        return split;
    }

    private Split first() {
        ItemValues values = new ItemValues("fromIterator");
        TaskCancellation running = TaskCancellation.ofThread();
        while (values.size() < LOOK_AHEAD && rows.hasNext()) {
            values.add(rows.next());
            running.check();
        }
        Schema found = values.schema();
        schema = found;
        return split(found, values.values());
    }

    private Object[][] following(List<String> names) {
        Object[][] values = new Object[splitRows(names)][];
        int count = 0;
        TaskCancellation running = TaskCancellation.ofThread();
        while (count < values.length && rows.hasNext()) {
            values[count] = valuesOf(rows.next(), read + count, names);
            count++;
            running.check();
        }
        return Arrays.copyOf(values, count);
    }

    private int splitRows(List<String> names) {
        return Math.clamp(splitBytes / (VALUE_BYTES * Math.max(1, names.size())), LOOK_AHEAD, 1 << 20);
    }

    private static Object[] valuesOf(Object item, long row, List<String> names) {
        Map<String, Object> columns = ItemValues.columns("fromIterator", item);
        if (!names.containsAll(columns.keySet())) {
            throw MillraceException.user("fromIterator: row " + row + " has the columns " + columns.keySet()
                    + ", but the" + " first rows have " + names
                    + ". Give every row the same columns, or use records of one class.");
        }
        return ItemValues.inOrder(columns, names);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (rows instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new MillraceException(Culprit.USER, "fromIterator: the iterator could not be closed: " + e, e);
            }
        }
    }
}
