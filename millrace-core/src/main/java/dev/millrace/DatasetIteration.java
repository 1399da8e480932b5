package dev.millrace;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.consume.BatchIteration;
import dev.millrace.internal.consume.RowCollector;
import dev.millrace.internal.consume.RowIteration;
import dev.millrace.internal.consume.TableText;
import dev.millrace.internal.consume.TensorIteration;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.progress.TerminalStream;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.iteration.CloseableIterator;
import dev.millrace.iteration.TensorBatch;
import dev.millrace.iteration.TensorBatchOptions;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Returns the rows of a dataset to the program: a few of them, or all, one by one or in batches. Each call is a run.
sealed interface DatasetIteration permits Dataset {
    private Dataset self() {
        return (Dataset) this;
    }

    /// The first 20 rows.
    default List<Row> take() {
        return take(Dataset.SHOWN_ROWS);
    }

    /// The first rows, on the Java heap.
    default List<Row> take(int rows) {
        return RowCollector.rows(self().start(Verbs.limit(self().plan(), rows)));
    }

    /// All rows, on the Java heap: for small results.
    default List<Row> takeAll() {
        return RowCollector.rows(self().start(self().plan()));
    }

    /// All rows; more than `limit` are an error.
    default List<Row> takeAll(long limit) {
        long oneMore = limit == Long.MAX_VALUE ? limit : limit + 1;
        List<Row> rows = RowCollector.rows(self().start(Verbs.limit(self().plan(), oneMore)));
        if (rows.size() > limit) {
            throw MillraceException.user("takeAll: the dataset has more than the given limit of " + limit + " rows.");
        }
        return rows;
    }

    /// The first 20 rows as a batch, which stays valid; an empty dataset is an error.
    default Batch takeBatch() {
        return takeBatch(Dataset.SHOWN_ROWS);
    }

    /// The first rows as a batch, which stays valid; an empty dataset is an error.
    default Batch takeBatch(int rows) {
        return RowCollector.batch(self().start(Verbs.limit(self().plan(), rows)));
    }

    /// Prints the first 20 rows as a table.
    default void show() {
        show(Dataset.SHOWN_ROWS);
    }

    /// Prints the first rows as a table, in a terminal as wide as that is: long values are cut there, and columns that
    /// do not fit beside the others follow below them.
    default void show(int rows) {
        LogicalPlan plan = self().plan();
        System.out.println(TableText.of(
                self().start(Verbs.limit(plan, rows)), plan.schema(), TableText.Layout.of(TerminalStream.OUT)));
    }

    /// The table that [#show] prints where there is no terminal: a line per row.
    default String showString(int rows) {
        LogicalPlan plan = self().plan();
        return TableText.of(self().start(Verbs.limit(plan, rows)), plan.schema(), TableText.Layout.free());
    }

    /// Rows one by one, as values that may be kept.
    default CloseableIterator<Row> iterRows() {
        return RowIteration.rows(self().start(self().plan()));
    }

    /// Rows as records of `type`, whose components name the columns.
    default <R extends Record> CloseableIterator<R> iterRecords(Class<R> type) {
        self().requireRecord("iterRecords", type);
        return RowIteration.records(self().start(self().plan()), type);
    }

    /// Batches of 256 rows, across block boundaries. A batch is valid until the next one is requested;
    /// [BatchOptions#copies] are valid as long as they are referenced.
    default CloseableIterator<Batch> iterBatches() {
        return iterBatches(BatchOptions.defaults());
    }

    /// The same in batches of this many rows.
    default CloseableIterator<Batch> iterBatches(int batchSize) {
        return iterBatches(BatchOptions.of(batchSize));
    }

    /// The same with options.
    default CloseableIterator<Batch> iterBatches(BatchOptions options) {
        return BatchIteration.of(
                self().start(self().plan(), options.knownRows()),
                options.or(self().settings().iteration()));
    }

    /// Batches of tensors for training and models: for each column a direct buffer with a shape, without a copy if the
    /// rows are in one block and no other type is requested. A batch is valid until the next one is requested;
    /// [TensorBatchOptions#copies] are valid as long as they are referenced.
    ///
    /// Columns of numbers become `[rows]`; tensors and lists of one size `[rows, ...]`; lists and tensors of differing
    /// sizes are padded if the options say so. Nulls, text and other non-numeric values are errors unless the options
    /// say how to treat them.
    default CloseableIterator<TensorBatch> iterTensorBatches(TensorBatchOptions options) {
        LogicalPlan wanted = options.columns().isEmpty()
                ? self().plan()
                : Verbs.select(self().plan(), options.columns().toArray(String[]::new));
        return TensorIteration.of(
                self().start(wanted, options.batches().knownRows()),
                options.batches().or(self().settings().iteration()),
                options);
    }

    /// Calls the action with every row, on this thread. The row is valid until the action returns.
    default void forEach(Consumer<Row> action) {
        RowIteration.forEach(self().start(self().plan()), action);
    }

    /// The same over records.
    default <R extends Record> void forEach(Class<R> type, Consumer<R> action) {
        try (CloseableIterator<R> records = iterRecords(type)) {
            records.forEachRemaining(action);
        }
    }

    /// Calls the action with all batches, one after the other, on this thread. A batch is valid until the action
    /// returns, unless it is one of [BatchOptions#copies].
    default void forEachBatch(BatchOptions options, Consumer<Batch> action) {
        try (CloseableIterator<Batch> batches = iterBatches(options)) {
            batches.forEachRemaining(action);
        }
    }

    /// The rows as a publisher. Each subscription is a run of its own, which goes on as far as the subscriber asks for
    /// rows and ends when it cancels; its calls come from one thread.
    default Flow.Publisher<Row> publisher() {
        return new RowPublisher(self());
    }

    /// The rows as a stream; close it unless it is read to the end.
    default Stream<Row> stream() {
        return iterRows().stream();
    }

    /// The same of records.
    default <R extends Record> Stream<R> stream(Class<R> type) {
        return iterRecords(type).stream();
    }
}
