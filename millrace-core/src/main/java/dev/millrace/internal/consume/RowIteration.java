package dev.millrace.internal.consume;

import dev.millrace.batch.Row;
import dev.millrace.batch.RowCursor;
import dev.millrace.block.Block;
import dev.millrace.internal.transform.RecordCodec;
import dev.millrace.internal.transform.RecordReader;
import dev.millrace.iteration.CloseableIterator;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A consumer's rows, one by one: as values, or as what a reader creates from them.
public final class RowIteration<T> extends FeedIteration<T> {
    private final BlockFeed feed;
    /// Creates an element from the row; must not keep the row.
    private final Function<? super RowCursor, ? extends T> reader;

    private final RowCursor cursor = new RowCursor();
    private @Nullable Block block;
    private long at;

    private RowIteration(BlockFeed feed, Function<? super RowCursor, ? extends T> reader) {
        super(feed);
        this.feed = feed;
        this.reader = reader;
        opened();
    }

    public static CloseableIterator<Row> rows(DatasetExecution execution) {
        return over(execution);
    }

    static CloseableIterator<Row> over(BlockFeed feed) {
        return new RowIteration<>(feed, Row::copy);
    }

    /// Rows as records of `type`.
    public static <R> CloseableIterator<R> records(DatasetExecution execution, Class<R> type) {
        RecordCodec codec = RecordCodec.of(type);
        return new RowIteration<>(execution, new Function<RowCursor, R>() {
            private @Nullable RecordReader reader;

            @Override
            public R apply(RowCursor row) {
                if (reader == null || !reader.schema().equals(row.schema())) {
                    reader = codec.reader(row.schema());
                }
                return type.cast(reader.read(row));
            }
        });
    }

    /// Calls the action with every row, on this thread, and closes the feed.
    public static void forEach(DatasetExecution execution, Consumer<? super Row> action) {
        RowCursor cursor = new RowCursor();
        try (DatasetExecution _ = execution.attended()) {
            for (Block block = execution.next(); block != null; block = execution.next()) {
                try (Block rows = block) {
                    cursor.reopen(rows);
                    for (long row = 0; row < rows.rows(); row++) {
                        cursor.moveTo(row);
                        action.accept(cursor);
                    }
                    cursor.end();
                }
            }
        }
    }

    @Override
    String elements() {
        return "rows";
    }

    @Override
    @Nullable
    T advance() {
        if (block != null && at == block.rows()) {
            release();
        }
        if (block == null) {
            block = feed.next();
            if (block == null) {
                return null;
            }
            cursor.reopen(block);
            at = 0;
        }
        cursor.moveTo(at++);
        return reader.apply(cursor);
    }

    @Override
    void release() {
        if (block != null) {
            block.close();
            block = null;
        }
    }
}
