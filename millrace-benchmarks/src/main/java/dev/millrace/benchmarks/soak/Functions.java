package dev.millrace.benchmarks.soak;

import static java.util.Objects.requireNonNull;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.expression.UserFunction;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.RecordFunction;
import dev.millrace.function.RowFlatFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.function.RowPredicate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The functions of the pipelines, and the same functions on the rows of the model. All work on the column `id` and
/// pass the others on.
final class Functions {
    private Functions() {}

    static final String ID = "id";
    static final String PAD = "pad";

    /// A row that consists of its id.
    record Id(Long id) {}

    static long id(Map<String, Object> row) {
        return requireNonNull((Long) row.get(ID), "every row has an id");
    }

    static Map<String, Object> with(Map<String, Object> row, String name, @Nullable Object value) {
        Map<String, Object> changed = new LinkedHashMap<>(row);
        changed.put(name, value);
        return changed;
    }

    static List<Map<String, Object>> mapIds(List<Map<String, Object>> rows, LongUnaryOperator function) {
        return rows.stream()
                .map(row -> with(row, ID, function.applyAsLong(id(row))))
                .toList();
    }

    static long mixed(long id, long by) {
        return id * 3 + by;
    }

    static RowFunction mix(long by) {
        return row -> row.with(ID, mixed(row.getLong(ID), by));
    }

    /// Fails if the id has this remainder.
    static RowFunction failing(long modulus, long rest) {
        return row -> {
            notFailing(row.getLong(ID), modulus, rest);
            return row;
        };
    }

    /// The same for a record.
    static RecordFunction<Id, Id> failingRecords(long modulus, long rest) {
        return row -> new Id(notFailing(row.id(), modulus, rest));
    }

    static BatchFunction failingBatches(long modulus, long rest) {
        return batch -> {
            for (long id : batch.longs(ID).toArray()) {
                notFailing(id, modulus, rest);
            }
            return batch;
        };
    }

    /// Returns 1, or fails.
    static UserFunction.Of1<Long, Long> failingCall(long modulus, long rest) {
        return id -> {
            notFailing(id, modulus, rest);
            return 1L;
        };
    }

    static UserFunction.Of1<Long, Long> zeroWhere(long modulus, long rest) {
        return id -> Math.floorMod(id, modulus) == rest ? 0L : 1L;
    }

    private static long notFailing(long id, long modulus, long rest) {
        if (Math.floorMod(id, modulus) == rest) {
            throw new IllegalStateException("soak: id " + id);
        }
        return id;
    }

    /// Fails at this id, which may be changed for another job.
    static RowFunction poisoned(AtomicLong poison) {
        return row -> {
            if (row.getLong(ID) == poison.get()) {
                throw new IllegalStateException("soak: id " + poison);
            }
            return row;
        };
    }

    static String pad(long id, int bytes) {
        return String.valueOf((char) ('a' + Math.floorMod(id, 26L))).repeat(bytes);
    }

    static RowFunction padded(int bytes) {
        return row -> row.with(PAD, pad(row.getLong(ID), bytes));
    }

    static RowPredicate keep(long modulus) {
        return row -> Math.floorMod(row.getLong(ID), modulus) != 0;
    }

    static int copies(long id) {
        return (int) Math.floorMod(id, 4L);
    }

    static RowFlatFunction multiply() {
        return row -> {
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < copies(row.getLong(ID)); i++) {
                rows.add(row.with(ID, row.getLong(ID) * 4 + i));
            }
            return rows;
        };
    }

    static List<Long> elements(long id) {
        List<Long> elements = new ArrayList<>();
        for (int i = 0; i < Math.floorMod(id, 3L); i++) {
            elements.add(id + i);
        }
        return elements;
    }

    static RowFunction list(String column) {
        return row -> row.with(column, elements(row.getLong(ID)));
    }

    static BatchFunction add(long more) {
        return batch -> batch.mapLongs(ID, id -> id + more);
    }

    /// A stateful object that records whether it was closed.
    static final class Adder implements BatchFunction, AutoCloseable {
        private static final long serialVersionUID = 1L;

        private final long more;
        private boolean closed;

        Adder(long more) {
            this.more = more;
        }

        @Override
        public Batch apply(Batch batch) {
            if (closed) {
                throw new IllegalStateException("an actor was called after its close");
            }
            return batch.mapLongs(ID, id -> id + more);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
