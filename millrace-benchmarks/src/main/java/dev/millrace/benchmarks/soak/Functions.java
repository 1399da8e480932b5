package dev.millrace.benchmarks.soak;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.RowFlatFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.function.RowPredicate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/// What the pipelines call, and the same on the rows of the model. All work on the column `id` and pass the others on.
final class Functions {
    private Functions() {}

    static final String ID = "id";

    static long id(Map<String, Object> row) {
        return (Long) row.get(ID);
    }

    static Map<String, Object> with(Map<String, Object> row, String name, Object value) {
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

    /// Fails where the id leaves this rest.
    static RowFunction failing(long modulus, long rest) {
        return row -> {
            long id = row.getLong(ID);
            if (Math.floorMod(id, modulus) == rest) {
                throw new IllegalStateException("soak: id " + id);
            }
            return row;
        };
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

    /// An object with state, which knows whether it was closed.
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
