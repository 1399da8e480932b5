package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregate.Aggregate;
import dev.millrace.aggregate.Aggregates;
import dev.millrace.batch.Row;
import dev.millrace.relation.SortKey;
import dev.millrace.testing.OracleTable;
import dev.millrace.testing.OracleValues;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import dev.millrace.window.WindowFunction;
import dev.millrace.window.WindowFunctions;
import java.io.Serializable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Window functions over random tables against DuckDB, with blocks, bundles and parts of a few rows up to all rows.
@Timeout(300)
class WindowOracleTest extends DuckDbOracle {
    private static final long[] TARGETS = {300, 2_000, 128 << 20};

    private final List<Session> merging = new ArrayList<>();

    int cases() {
        return Integer.getInteger("millrace.cases", 200);
    }

    @Override
    long[] targets() {
        return TARGETS.clone();
    }

    /// Sorted runs soon are too large for one block, so that windows over all rows pass by in pieces.
    @BeforeAll
    void openMerging() {
        merging.add(open(300, 300));
        merging.add(open(2_000, 2_000));
    }

    /// A function of ours and DuckDB's way to say it.
    ///
    /// @param apart how far floats may be from each other
    private record Term(WindowFunction function, DataType type, String sql, double apart) {}

    /// A random window and functions over it.
    private static final class Case {
        final Random random;
        final OracleTable table;
        final Window window;
        final List<Term> terms = new ArrayList<>();

        /// @param whole whether all rows are one partition
        Case(long seed, boolean whole) {
            this.random = new Random(seed);
            this.table = new OracleTable(random, random.nextInt(10) == 0 ? 2000 : 80);
            List<String> names = new ArrayList<>(table.keys());
            Collections.shuffle(names, random);
            int keys = whole ? 0 : random.nextInt(Math.min(3, names.size() + 1));
            List<SortKey> order = new ArrayList<>();
            for (String name : names.subList(keys, keys + random.nextInt(names.size() - keys + 1))) {
                order.add(new SortKey(name, random.nextBoolean()));
            }
            this.window = new Window(names.subList(0, keys), order);
            int count = 1 + random.nextInt(6);
            for (int i = 0; i < count; i++) {
                terms.add(term("f" + i));
            }
        }

        private Term term(String name) {
            String column =
                    table.schema().names().get(random.nextInt(table.schema().size()));
            return switch (random.nextInt(4)) {
                case 0 -> numbering(name);
                case 1 -> shifted(name, column);
                case 2 -> picked(name, column);
                default -> aggregated(name, column);
            };
        }

        private Term numbering(String name) {
            long buckets = 1L + random.nextInt(7);
            return switch (random.nextInt(6)) {
                case 0 -> integer(WindowFunctions.rowNumber().as(name), "row_number()" + over(true, null));
                case 1 -> integer(WindowFunctions.rank().as(name), "rank()" + over(false, null));
                case 2 -> integer(WindowFunctions.denseRank().as(name), "dense_rank()" + over(false, null));
                case 3 -> integer(WindowFunctions.ntile(buckets).as(name), "ntile(" + buckets + ")" + over(true, null));
                case 4 ->
                    new Term(
                            WindowFunctions.percentRank().as(name),
                            DataType.FLOAT64,
                            "percent_rank()" + over(false, null),
                            1e-12);
                default ->
                    new Term(
                            WindowFunctions.cumeDist().as(name),
                            DataType.FLOAT64,
                            "cume_dist()" + over(false, null),
                            1e-12);
            };
        }

        private static Term integer(WindowFunction function, String sql) {
            return new Term(function, DataType.INT64, sql, 0);
        }

        private Term shifted(String name, String column) {
            long rows = random.nextInt(4) - 1L;
            Object otherwise = random.nextInt(3) == 0 ? someValue(column) : null;
            boolean lag = random.nextBoolean();
            WindowFunction function = (lag
                            ? WindowFunctions.lag(column, rows, (Serializable) otherwise)
                            : WindowFunctions.lead(column, rows, (Serializable) otherwise))
                    .as(name);
            String literal = otherwise == null
                    ? ""
                    : ", '" + otherwise.toString().replace("'", "''") + "'::"
                            + OracleTable.sqlType(table.schema().type(column));
            return new Term(
                    function,
                    table.schema().type(column),
                    (lag ? "lag(" : "lead(") + column + ", " + rows + literal + ")" + over(true, null),
                    0);
        }

        private Object someValue(String column) {
            return table.rows().stream()
                    .map(row -> row[table.schema().indexOf(column)])
                    .filter(Objects::nonNull)
                    .findAny()
                    .orElse(null);
        }

        private Term picked(String name, String column) {
            // Which of its peers is the first of a range, DuckDB does not say.
            Frame frame = rows();
            long nth = 1L + random.nextInt(3);
            int which = random.nextInt(3);
            WindowFunction.Picked function = switch (which) {
                case 0 -> WindowFunctions.firstValue(column);
                case 1 -> WindowFunctions.lastValue(column);
                default -> WindowFunctions.nthValue(column, nth);
            };
            String arguments = switch (which) {
                case 0 -> "first_value(" + column;
                case 1 -> "last_value(" + column;
                default -> "nth_value(" + column + ", " + nth;
            };
            boolean skip = random.nextInt(3) == 0;
            function = function.over(frame);
            return new Term(
                    (skip ? function.ignoreNulls() : function).as(name),
                    table.schema().type(column),
                    arguments + (skip ? " ignore nulls" : "") + ")" + over(frame),
                    0);
        }

        private Term aggregated(String name, String column) {
            DataType type = table.schema().type(column);
            Frame frame = frame();
            boolean number = type.isNumeric() || type instanceof DataType.Decimal;
            boolean wide = type.equals(DataType.INT64) || type.equals(DataType.UINT64);
            double apart = 1e-11 * absolutes(column);
            int which = random.nextInt(6);
            if (which == 0) {
                return term(Aggregates.count(), frame, name, DataType.INT64, "count(*)", 0);
            }
            if (which == 1) {
                return term(Aggregates.min(column), frame, name, type, "min(" + column + ")", 0);
            }
            if (which == 2) {
                return term(Aggregates.max(column), frame, name, type, "max(" + column + ")", 0);
            }
            if (which == 3 && number && (!wide || column.equals("id"))) {
                return term(Aggregates.sum(column), frame, name, type, "sum(" + column + ")", apart);
            }
            if (which == 4 && number) {
                String mean = "avg(" + column + "::double)";
                return term(Aggregates.mean(column), frame, name, DataType.FLOAT64, mean, apart);
            }
            if (which == 5) {
                String distinct = "count(distinct " + column + ")";
                return term(Aggregates.countDistinct(column), Frame.partition(), name, DataType.INT64, distinct, 0);
            }
            return type instanceof DataType.Bool
                    ? term(Aggregates.any(column), frame, name, type, "bool_or(" + column + ")", 0)
                    : term(Aggregates.last(column), rows(), name, type, "last_value(" + column + ")", 0);
        }

        private Term term(Aggregate aggregate, Frame frame, String name, DataType type, String sql, double apart) {
            return new Term(WindowFunctions.over(aggregate, frame).as(name), type, sql + over(frame), apart);
        }

        private double absolutes(String column) {
            return table.rows().stream()
                    .map(row -> row[table.schema().indexOf(column)])
                    .filter(Number.class::isInstance)
                    .mapToDouble(value -> Math.abs(((Number) value).doubleValue()))
                    .filter(Double::isFinite)
                    .sum();
        }

        private Frame rows() {
            Frame frame = frame();
            return frame.unit() == Frame.Unit.ROWS ? frame : rows();
        }

        private Frame frame() {
            return switch (random.nextInt(6)) {
                case 0 -> Frame.partition();
                case 1 -> Frame.running();
                case 2 -> Frame.runningWithPeers();
                case 3 -> new Frame(Frame.Unit.RANGE, 0, random.nextBoolean() ? 0 : Frame.UNBOUNDED_FOLLOWING);
                case 4 -> Frame.rows(random.nextInt(9) - 5, Frame.UNBOUNDED_FOLLOWING);
                default -> {
                    int from = random.nextInt(12) - 7;
                    yield Frame.rows(
                            random.nextInt(5) == 0 ? Frame.UNBOUNDED_PRECEDING : from, from + random.nextInt(8));
                }
            };
        }

        private String over(Frame frame) {
            String words = frame.unit() + " between " + end(frame.from()) + " and " + end(frame.to());
            return over(frame.unit() == Frame.Unit.ROWS, words);
        }

        private static String end(long offset) {
            return offset == Frame.UNBOUNDED_PRECEDING
                    ? "unbounded preceding"
                    : offset == Frame.UNBOUNDED_FOLLOWING
                            ? "unbounded following"
                            : offset == 0
                                    ? "current row"
                                    : Math.abs(offset) + (offset < 0 ? " preceding" : " following");
        }

        /// @param byRow whether peers are told apart: by the row's number, as we do
        private String over(boolean byRow, String frame) {
            List<String> order = new ArrayList<>();
            for (SortKey key : window.order()) {
                order.addAll(order(table.schema(), key));
            }
            if (byRow) {
                order.add("id");
            }
            return " over ("
                    + (window.keys().isEmpty() ? "" : "partition by " + String.join(", ", window.keys()) + " ")
                    + (order.isEmpty() ? "" : "order by " + String.join(", ", order) + " ")
                    + (frame == null ? "" : frame) + ")";
        }

        /// DuckDB puts NaN first when it descends.
        private static List<String> order(Schema schema, SortKey key) {
            String column = key.column();
            String last = column + (key.isDescending() ? " desc" : "") + " nulls last";
            return schema.type(column) instanceof DataType.Float
                    ? List.of(
                            "(case when " + column + " is null then 2 when isnan(" + column + ") then 1 else 0 end)",
                            last)
                    : List.of(last);
        }
    }

    @Test
    void windowFunctionsAreDuckDbs() throws Exception {
        compare(sessions, false);
    }

    @Test
    void windowsOverAllRowsInPiecesAreDuckDbs() throws Exception {
        compare(merging, true);
    }

    private void compare(List<Session> among, boolean whole) throws Exception {
        for (long number = 0; number < cases(); number++) {
            Case one = new Case(seed + number, whole);
            Session session = among.get(one.random.nextInt(among.size()));
            String which = "seed " + seed + ", case " + number + ", " + one.table.schema() + " " + one.window;
            one.table.load(duck, "t");
            try (MaterializedDataset dataset = session.fromBlocks(one.table.blocks(session.allocator()))) {
                WindowFunction[] functions =
                        one.terms.stream().map(Term::function).toArray(WindowFunction[]::new);
                compare(which, one, dataset.window(one.window, functions).takeAll());
            }
        }
    }

    private void compare(String which, Case one, List<Row> rows) throws SQLException {
        Map<Long, Row> byId = new HashMap<>();
        rows.forEach(
                row -> assertThat(byId.put(row.getLong("id"), row)).as(which).isNull());
        assertThat(rows).as(which).hasSize(one.table.rows().size());
        String sql = "select id, "
                + String.join(", ", one.terms.stream().map(Term::sql).toList()) + " from t";
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                Row row = byId.get(result.getLong(1));
                for (String key : one.table.schema().names()) {
                    Object value = one.table.rows()
                            .get((int) result.getLong(1))[one.table.schema().indexOf(key)];
                    assertThat(OracleValues.normal(row.get(key))).as(which).isEqualTo(OracleValues.normal(value));
                }
                for (int i = 0; i < one.terms.size(); i++) {
                    Term term = one.terms.get(i);
                    Object ours = row.get(term.function().name());
                    Object theirs = OracleValues.of(result, i + 2, term.type());
                    assertThat(OracleValues.same(ours, theirs, term.apart()))
                            .as(
                                    "%s: %s, %s of row %s is %s, not %s",
                                    which, term.sql(), term.function(), result.getLong(1), ours, theirs)
                            .isTrue();
                }
            }
        }
        inOrder(which, one, rows);
    }

    /// Rows of a partition stand together, in the window's order.
    private static void inOrder(String which, Case one, List<Row> rows) {
        Map<List<Object>, Integer> last = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            List<Object> key = one.window.keys().stream()
                    .map(name -> OracleValues.normal(row.get(name)))
                    .toList();
            Integer before = last.put(key, i);
            assertThat(before == null || before == i - 1).as(which).isTrue();
        }
    }
}
