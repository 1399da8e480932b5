package dev.millrace;

import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Row;
import dev.millrace.expression.Expression;
import dev.millrace.relation.Join;
import dev.millrace.testing.OracleTable;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Joins of random tables against DuckDB: every kind, one to three keys of the same and of different types, nulls, NaN,
/// both zeros, duplicates, skew, empty sides, with blocks and parts of a few rows up to all rows.
@Timeout(300)
class JoinOracleTest extends DuckDbOracle {
    private static final long[] TARGETS = {300, 2_000, 20_000, 128 << 20};
    private static final DataType STAMP = DataType.timestamp(TimeUnit.MICROSECOND);
    private static final List<DataType> TYPES = List.of(
            DataType.BOOL,
            DataType.INT8,
            DataType.INT32,
            DataType.INT64,
            DataType.INT64,
            DataType.UINT64,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.FLOAT64,
            DataType.decimal(12, 2),
            DataType.DATE,
            STAMP,
            DataType.UTF8,
            DataType.UTF8,
            DataType.dictionary(DataType.UTF8));
    /// Types of a key on the left and on the right.
    private static final DataType[][] MIXED = {
        {DataType.INT8, DataType.INT64},
        {DataType.UINT32, DataType.INT32},
        {DataType.UINT64, DataType.INT64},
        {DataType.INT32, DataType.FLOAT64},
        {DataType.FLOAT64, DataType.INT16},
        {DataType.FLOAT32, DataType.FLOAT64},
        {DataType.decimal(12, 2), DataType.decimal(38, 4)},
        {DataType.decimal(12, 2), DataType.INT32},
        {DataType.DATE, STAMP},
        {DataType.UTF8, DataType.dictionary(DataType.UTF8)},
    };

    int cases() {
        return Integer.getInteger("millrace.cases", 300);
    }

    @Override
    long[] targets() {
        return TARGETS.clone();
    }

    /// In some sessions, sides of a few rows do not fit and partitions of a few rows are shared out.
    @Override
    @BeforeAll
    void open() throws Exception {
        super.open();
        sessions.add(open(100, 100));
        sessions.add(open(500, 500));
    }

    @Test
    void joinsAreDuckDbs() throws Exception {
        for (long number = 0; number < cases(); number++) {
            check(number);
        }
    }

    private void check(long number) throws Exception {
        Random random = new Random(seed + number);
        Join.Kind kind = Join.Kind.values()[random.nextInt(Join.Kind.values().length)];
        int keys = kind == Join.Kind.CROSS ? 0 : 1 + random.nextInt(random.nextInt(3) + 1);
        List<Field> leftFields = new ArrayList<>(List.of(new Field("id", DataType.INT64)));
        List<Field> rightFields = new ArrayList<>(List.of(new Field("rid", DataType.INT64)));
        List<String> leftKeys = new ArrayList<>();
        List<String> rightKeys = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            DataType same = TYPES.get(random.nextInt(TYPES.size()));
            DataType[] pair =
                    random.nextInt(4) == 0 ? MIXED[random.nextInt(MIXED.length)] : new DataType[] {same, same};
            leftKeys.add("k" + i);
            // A full join of uint64 and int64 under one name has a column of int64, which cannot have all of them.
            boolean oneColumn = !pair[0].equals(DataType.UINT64) || pair[1].equals(DataType.UINT64);
            rightKeys.add(oneColumn && random.nextBoolean() ? "k" + i : "r" + i);
            leftFields.add(new Field(leftKeys.get(i), pair[0]));
            rightFields.add(new Field(rightKeys.get(i), pair[1]));
        }
        leftFields.add(new Field("p", TYPES.get(random.nextInt(TYPES.size()))));
        rightFields.add(new Field("q", TYPES.get(random.nextInt(TYPES.size()))));
        OracleTable left = new OracleTable(random, Schema.of(leftFields), rows(random));
        OracleTable right = new OracleTable(random, Schema.of(rightFields), rows(random));
        meet(random, left, right, keys);
        left.load(duck, "l");
        right.load(duck, "r");
        Join join = placed(random, new Join(kind, leftKeys, rightKeys, null, null));
        Session session = sessions.get(random.nextInt(sessions.size()));
        String which = "seed " + seed + ", case " + number + ", " + join + " (" + join.broadcastBytes() + ") of "
                + left.schema() + " and " + right.schema();
        try (MaterializedDataset a = session.fromBlocks(left.blocks(session.allocator()));
                MaterializedDataset b = session.fromBlocks(right.blocks(session.allocator()))) {
            // Functions hide the columns until it runs.
            boolean hidden = random.nextInt(5) == 0 && sameTypes(left, right, keys);
            Dataset joined =
                    hidden ? a.mapBatches(batch -> batch).join(b.mapBatches(batch -> batch), join) : a.join(b, join);
            List<Row> rows = joined.takeAll();
            assertThat(pairs(rows)).as(which).isEqualTo(expected(join));
            assertThat(joined.takeAll()).as(which).isEqualTo(rows);
            if (!hidden) {
                assertThat(joined.count()).as(which).isEqualTo(rows.size());
                assertThat(joined.schema().names()).as(which).doesNotHaveDuplicates();
                String one =
                        joined.columns().get(random.nextInt(joined.columns().size()));
                assertThat(sorted(joined.select(one).takeAll(), one))
                        .as(which + ": " + one)
                        .isEqualTo(sorted(rows, one));
                filtered(which, random, joined, rows);
                grouped(which, joined, rows, one);
            }
            values(which, join, rows, byId(a.takeAll(), "id"), byId(b.takeAll(), "rid"));
        }
    }

    /// Through the exchange, without it, or as it turns out.
    private static Join placed(Random random, Join join) {
        return switch (random.nextInt(3)) {
            case 0 -> join.broadcast(0);
            case 1 -> join.broadcast(1 + random.nextInt(3_000));
            default -> join;
        };
    }

    /// Groups above the join, whose keys may come out of it in another form.
    private static void grouped(String which, Dataset joined, List<Row> rows, String key) {
        Map<String, Long> counts = new HashMap<>();
        rows.forEach(row -> counts.merge(text(row.get(key)), 1L, Long::sum));
        Map<String, Long> found = new HashMap<>();
        joined.groupBy(key).aggregate(count().as("n")).takeAll().forEach(row -> {
            assertThat(found.put(text(row.get(key)), row.getLong("n")))
                    .as(which)
                    .isNull();
        });
        assertThat(found).as(which + ": grouped by " + key).isEqualTo(counts);
    }

    /// A filter above the join, wherever it is computed.
    private static void filtered(String which, Random random, Dataset joined, List<Row> rows) {
        String name = joined.columns().get(random.nextInt(joined.columns().size()));
        String other = joined.columns().get(random.nextInt(joined.columns().size()));
        boolean number = name.equals("id") || name.equals("rid");
        long least = random.nextInt(30);
        Expression first = number ? col(name).ge(least) : col(name).isNotNull();
        boolean isNull = random.nextBoolean();
        Expression second = isNull ? col(other).isNull() : col(other).isNotNull();
        List<Row> kept = rows.stream()
                .filter(row -> row.get(name) != null && (!number || (Long) row.get(name) >= least))
                .filter(row -> (row.get(other) == null) == isNull)
                .toList();
        assertThat(pairs(joined.filter(first.and(second)).takeAll()))
                .as(which + ": " + first + " and " + second)
                .isEqualTo(pairs(kept));
    }

    private static int rows(Random random) {
        return random.nextInt(6) == 0 ? random.nextInt(2) : random.nextInt(random.nextInt(10) == 0 ? 400 : 60);
    }

    private static boolean sameTypes(OracleTable left, OracleTable right, int keys) {
        for (int i = 1; i <= keys; i++) {
            if (!left.schema().field(i).type().equals(right.schema().field(i).type())) {
                return false;
            }
        }
        return !left.rows().isEmpty() && !right.rows().isEmpty();
    }

    /// Gives many rows of the right the keys of a row of the left.
    private static void meet(Random random, OracleTable left, OracleTable right, int keys) {
        for (Object[] row : right.rows()) {
            if (!left.rows().isEmpty() && random.nextInt(3) > 0) {
                Object[] model = left.rows().get(random.nextInt(left.rows().size()));
                for (int i = 1; i <= keys; i++) {
                    row[i] = as(model[i], right.schema().field(i).type(), row[i]);
                }
            }
        }
    }

    /// The value in another type, or `or` where that cannot have it.
    private static Object as(Object value, DataType type, Object or) {
        if (value instanceof LocalDate date && type.equals(STAMP)) {
            return date.atStartOfDay();
        }
        if (!(value instanceof Number number)) {
            return value;
        }
        boolean finite =
                !(number instanceof Double || number instanceof Float) || Double.isFinite(number.doubleValue());
        BigDecimal exact = finite ? new BigDecimal(number.toString()) : null;
        try {
            return switch (type) {
                case DataType.Float real ->
                    real.bits() == 32 ? (Object) number.floatValue() : (Object) number.doubleValue();
                case DataType.Int integer
                when integer.equals(DataType.UINT64) -> exact.signum() < 0 ? or : exact.toBigIntegerExact();
                case DataType.Int integer -> {
                    long whole = exact.longValueExact();
                    boolean fits = integer.bits() == 64 || Math.abs(whole) < 1L << (integer.bits() - 1);
                    yield fits && (integer.signed() || whole >= 0) ? (Object) whole : or;
                }
                case DataType.Decimal decimal -> exact.setScale(decimal.scale());
                default -> value;
            };
        } catch (ArithmeticException | NullPointerException e) {
            return or;
        }
    }

    /// The output as `id/rid`, sorted.
    private static List<String> pairs(List<Row> rows) {
        return rows.stream()
                .map(row -> (row.columns().contains("id") ? row.get("id") : null) + "/"
                        + (row.columns().contains("rid") ? row.get("rid") : null))
                .sorted()
                .toList();
    }

    /// Fewer columns may come in another order.
    private static List<String> sorted(List<Row> rows, String column) {
        return rows.stream().map(row -> text(row.get(column))).sorted().toList();
    }

    private List<String> expected(Join join) throws Exception {
        List<String> equal = new ArrayList<>(List.of("true"));
        for (int i = 0; i < join.leftKeys().size(); i++) {
            equal.add("l." + join.leftKeys().get(i) + " = r." + join.rightKeys().get(i));
        }
        String on = String.join(" and ", equal);
        String sql = switch (join.kind()) {
            case INNER -> "select id, rid from l join r on " + on;
            case LEFT -> "select id, rid from l left join r on " + on;
            case RIGHT -> "select id, rid from l right join r on " + on;
            case FULL -> "select id, rid from l full join r on " + on;
            case CROSS -> "select id, rid from l cross join r";
            case LEFT_SEMI -> "select id, null from l where exists (select 1 from r where " + on + ")";
            case LEFT_ANTI -> "select id, null from l where not exists (select 1 from r where " + on + ")";
            case RIGHT_SEMI -> "select null, rid from r where exists (select 1 from l where " + on + ")";
            case RIGHT_ANTI -> "select null, rid from r where not exists (select 1 from l where " + on + ")";
        };
        List<String> pairs = new ArrayList<>();
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                pairs.add(result.getObject(1) + "/" + result.getObject(2));
            }
        }
        return pairs.stream().sorted().collect(Collectors.toList());
    }

    private static Map<Object, Row> byId(List<Row> rows, String id) {
        Map<Object, Row> byId = new HashMap<>();
        rows.forEach(row -> byId.put(row.get(id), row));
        return byId;
    }

    /// Every value is that of the row it came from, or null where there is none.
    private static void values(String which, Join join, List<Row> rows, Map<Object, Row> left, Map<Object, Row> right) {
        for (Row row : rows) {
            Row ofLeft = row.columns().contains("id") ? left.get(row.get("id")) : null;
            Row ofRight = row.columns().contains("rid") ? right.get(row.get("rid")) : null;
            for (String name : row.columns()) {
                int key = join.leftKeys().indexOf(name);
                boolean shared = key >= 0 && join.rightKeys().get(key).equals(name);
                if (shared && !join.kind().isRightOnly() && !join.kind().isLeftOnly()) {
                    Object a = ofLeft == null ? null : ofLeft.get(name);
                    Object b = ofRight == null ? null : ofRight.get(name);
                    List<String> allowed = List.of(text(a), text(b), text(a == null ? b : a));
                    assertThat(text(row.get(name))).as(which).isIn(allowed);
                    if (a != null || b != null) {
                        assertThat(row.get(name)).as(which).isNotNull();
                    }
                } else {
                    boolean isLeft = name.equals("id")
                            || name.equals("p")
                            || (key >= 0 && !join.kind().isRightOnly());
                    Row source = isLeft ? ofLeft : ofRight;
                    assertThat(row.get(name)).as(which).isEqualTo(source == null ? null : source.get(name));
                }
            }
        }
    }

    /// One text for values that are equal.
    private static String text(Object value) {
        if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
            boolean real = value instanceof Float || value instanceof Double;
            BigDecimal exact = real ? new BigDecimal(number.doubleValue()) : new BigDecimal(value.toString());
            return exact.signum() == 0 ? "0" : exact.stripTrailingZeros().toPlainString();
        }
        return value instanceof LocalDate date ? date.atStartOfDay().toString() : String.valueOf(value);
    }
}
