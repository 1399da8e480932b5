package dev.millrace.internal.transform;

import dev.millrace.batch.Row;
import dev.millrace.batch.RowCursor;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.error.MillraceException;
import dev.millrace.function.RecordFunction;
import dev.millrace.function.RowFlatFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.function.RowPredicate;
import dev.millrace.internal.thread.TaskCancellation;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Chained row operations: an item (a [Row], or one of the user's records) enters the first, and what survives leaves
/// the last, without a block in between. One thread.
final class RowStages {
    /// The maximum number of rows of one call that are held until it has ended, under an error policy.
    static final int MAX_HELD_ROWS = 1_000_000;

    private final Stage first;
    private final TaskCancellation running = TaskCancellation.ofThread();
    private final boolean undoes;
    private int current;
    private boolean stopped;

    /// Receives the errors of operations with a policy: it throws, or tolerates them.
    interface Failures {
        void called(int operation);

        void failed(int operation, Object item, Throwable cause);
    }

    /// The destination of the resulting rows: can roll back to a mark.
    interface Written {
        void mark();

        void backToMark();
    }

    /// A row, produced by an operation with a policy, that cannot be written into columns.
    private static final class Unwritable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unwritable(Throwable cause) {
            super(null, cause, false, false);
        }
    }

    /// The replacement of a failed row under the policy that writes nulls: a row without any column.
    static final Row NULLS = Row.of();

    /// Operations that only filter: the results need not be written.
    static RowStages filters(List<RowStep.Named> operations, Failures failures, Consumer<Object> end) {
        return new RowStages(operations, failures, end, null, -1);
    }

    /// A row that cannot be written is an error of the last operation that creates rows.
    static RowStages writing(List<RowStep.Named> operations, Failures failures, Consumer<Object> end, Written written) {
        int maker = operations.size() - 1;
        while (maker >= 0 && !operations.get(maker).operation().makesRows()) {
            maker--;
        }
        boolean tolerant = maker >= 0 && !operations.get(maker).onError().isFail();
        return new RowStages(operations, failures, end, written, tolerant ? maker : -1);
    }

    /// @param maker the operation whose policy applies to rows that cannot be written; -1: none
    private RowStages(
            List<RowStep.Named> operations,
            Failures failures,
            Consumer<Object> end,
            @Nullable Written written,
            int maker) {
        this.undoes = maker >= 0;
        Stage next = maker < 0 ? new End(operations.size() - 1, end) : new GuardedEnd(operations.size() - 1, end);
        for (int i = operations.size() - 1; i >= 0; i--) {
            RowStep.Named named = operations.get(i);
            if (named.onError().isFail()) {
                next = stage(named.operation(), i, next);
            } else {
                HeldResults stash = new HeldResults(i);
                Written undo = i == maker ? written : null;
                next = new PolicyGuard(
                        stage(named.operation(), i, stash), stash, named.onError(), failures, undo, next);
            }
        }
        this.first = next;
    }

    /// @throws dev.millrace.error.TaskCancelled when the task's rows are no longer wanted, which is checked here and
    ///     before each row that a call produces
    void accept(Object item) throws Exception {
        running.check();
        first.accept(item);
    }

    /// No further row is wanted: a call that still produces some is not asked for more.
    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /// True if rows written since a mark may be rolled back: then no row is emitted before its call has ended.
    boolean undoes() {
        return undoes;
    }

    /// The operation that was called last, to which an error belongs.
    int current() {
        return current;
    }

    @SuppressWarnings("unchecked")
    private Stage stage(RowOperation operation, int index, Stage next) {
        return switch (operation) {
            case RowOperation.Map map -> new MapRows(index, map.function(), next);
            case RowOperation.Filter filter -> new FilterRows(index, filter.predicate(), next);
            case RowOperation.FlatMap flatMap -> new FlatMapRows(index, flatMap.function(), next);
            case RowOperation.MapRecord<?, ?> map ->
                new MapRecords(index, map.input(), (RecordFunction<Object, Object>) map.function(), next);
            case RowOperation.FilterRecord<?> filter ->
                new FilterRecords(index, filter.input(), (RecordFunction<Object, Boolean>) filter.predicate(), next);
            case RowOperation.FlatMapRecord<?, ?> flatMap ->
                new FlatMapRecords(
                        index, flatMap.input(), (RecordFunction<Object, Iterable<?>>) flatMap.function(), next);
            case RowOperation.Stateful _ ->
                throw MillraceException.internal("a stateful operation outside of its actor");
        };
    }

    private abstract class Stage {
        final int index;
        private final @Nullable Stage next;

        /// @param next null for the last
        Stage(int index, @Nullable Stage next) {
            this.index = index;
            this.next = next;
        }

        final Stage next() {
            return Objects.requireNonNull(next, "only the last stage has none after it");
        }

        abstract void accept(Object item) throws Exception;

        final <T> T required(T result, String instead) {
            if (result == null) {
                throw MillraceException.user("It returned null. " + instead);
            }
            return result;
        }

        /// Sends the items one after the other, each completely before the next: the sequence may be infinite. Taking
        /// one may run the user's code again.
        final void sendAll(Iterable<?> results) throws Exception {
            Iterator<?> items =
                    required(results, "Return an empty list for no rows.").iterator();
            while (!stopped && items.hasNext()) {
                running.check();
                next().accept(required(items.next(), "Leave rows that should not come out of the list."));
                current = index;
            }
        }
    }

    /// Holds the output of one call of an operation with a policy until the call has succeeded.
    private final class HeldResults extends Stage {
        private final List<Object> items = new ArrayList<>();

        HeldResults(int index) {
            super(index, null);
        }

        @Override
        void accept(Object item) {
            if (items.size() == MAX_HELD_ROWS) {
                throw MillraceException.resources(
                        "It put out more than " + MAX_HELD_ROWS + " rows for one. Under an error"
                                + " policy they wait until it has ended well; let it fail (the default), and they leave one by"
                                + " one.");
            }
            items.add(item);
        }
    }

    /// Separates the errors of one operation from those of earlier and later ones.
    private final class PolicyGuard extends Stage {
        private final Stage guarded;
        private final HeldResults stash;
        private final boolean nulls;
        private final Failures failures;
        /// Null if rows that cannot be written are not an error of this operation.
        private final @Nullable Written written;

        PolicyGuard(
                Stage guarded,
                HeldResults stash,
                ErrorPolicy policy,
                Failures failures,
                @Nullable Written written,
                Stage next) {
            super(guarded.index, next);
            this.guarded = guarded;
            this.stash = stash;
            this.nulls = policy.action() == ErrorPolicy.Action.NULLS;
            this.failures = failures;
            this.written = written;
        }

        @Override
        void accept(Object item) throws Exception {
            stash.items.clear();
            failures.called(index);
            try {
                guarded.accept(item);
            } catch (Throwable e) {
                fail(item, e);
                return;
            }
            if (written == null) {
                sendStash();
                return;
            }
            written.mark();
            try {
                sendStash();
            } catch (Unwritable e) {
                written.backToMark();
                fail(item, Objects.requireNonNull(e.getCause(), "a row is unwritable for a cause"));
            }
        }

        private void fail(Object item, Throwable cause) throws Exception {
            failures.failed(index, item, cause);
            if (nulls) {
                next().accept(NULLS);
            }
        }

        private void sendStash() throws Exception {
            List<Object> items = stash.items;
            for (int i = 0; i < items.size(); i++) {
                next().accept(items.get(i));
            }
        }
    }

    private final class End extends Stage {
        private final Consumer<Object> end;

        End(int index, Consumer<Object> end) {
            super(index, null);
            this.end = end;
        }

        @Override
        void accept(Object item) {
            end.accept(item);
        }
    }

    /// Reports a row that cannot be written to the operation that created it.
    private final class GuardedEnd extends Stage {
        private final Consumer<Object> end;

        GuardedEnd(int index, Consumer<Object> end) {
            super(index, null);
            this.end = end;
        }

        @Override
        void accept(Object item) {
            try {
                end.accept(item);
            } catch (Throwable e) {
                throw new Unwritable(e);
            }
        }
    }

    private final class MapRows extends Stage {
        private final RowFunction function;

        MapRows(int index, RowFunction function, Stage next) {
            super(index, next);
            this.function = function;
        }

        @Override
        void accept(Object item) throws Exception {
            current = index;
            next().accept(required(
                    function.apply(asRow(item)), "Return a row; to leave rows out, use filter or flatMap."));
        }
    }

    private final class FilterRows extends Stage {
        private final RowPredicate predicate;

        FilterRows(int index, RowPredicate predicate, Stage next) {
            super(index, next);
            this.predicate = predicate;
        }

        @Override
        void accept(Object item) throws Exception {
            current = index;
            if (predicate.test(asRow(item))) {
                next().accept(item);
            }
        }
    }

    private final class FlatMapRows extends Stage {
        private final RowFlatFunction function;

        FlatMapRows(int index, RowFlatFunction function, Stage next) {
            super(index, next);
            this.function = function;
        }

        @Override
        void accept(Object item) throws Exception {
            current = index;
            sendAll(function.apply(asRow(item)));
        }
    }

    private final class MapRecords extends Stage {
        private final Records records;
        private final RecordFunction<Object, Object> function;

        MapRecords(int index, Class<?> input, RecordFunction<Object, Object> function, Stage next) {
            super(index, next);
            this.records = new Records(input);
            this.function = function;
        }

        @Override
        void accept(Object item) throws Exception {
            current = index;
            next().accept(required(
                    function.apply(records.of(item)), "Return a value; to leave rows out, use filter or flatMap."));
        }
    }

    private final class FilterRecords extends Stage {
        private final Records records;
        private final RecordFunction<Object, Boolean> predicate;

        FilterRecords(int index, Class<?> input, RecordFunction<Object, Boolean> predicate, Stage next) {
            super(index, next);
            this.records = new Records(input);
            this.predicate = predicate;
        }

        @Override
        void accept(Object item) throws Exception {
            current = index;
            if (required(predicate.apply(records.of(item)), "Return true or false.")) {
                next().accept(item);
            }
        }
    }

    private final class FlatMapRecords extends Stage {
        private final Records records;
        private final RecordFunction<Object, Iterable<?>> function;

        FlatMapRecords(int index, Class<?> input, RecordFunction<Object, Iterable<?>> function, Stage next) {
            super(index, next);
            this.records = new Records(input);
            this.function = function;
        }

        @Override
        void accept(Object item) throws Exception {
            current = index;
            sendAll(function.apply(records.of(item)));
        }
    }

    static Row asRow(Object item) {
        return item instanceof Row row ? row : RecordCodec.of(item.getClass()).toRow(item);
    }

    /// Items as records of one class.
    private static final class Records {
        private final RecordCodec codec;
        private @Nullable RecordReader reader;

        Records(Class<?> type) {
            this.codec = RecordCodec.of(type);
        }

        @SuppressWarnings("ReferenceEquality") // once per row; an equal schema of another block costs one more reader
        Object of(Object item) {
            if (item instanceof RowCursor cursor) {
                if (reader == null || reader.schema() != cursor.schema()) {
                    reader = codec.reader(cursor.schema());
                }
                return reader.read(cursor);
            }
            return codec.type().isInstance(item) ? item : codec.fromRow(asRow(item));
        }
    }
}
