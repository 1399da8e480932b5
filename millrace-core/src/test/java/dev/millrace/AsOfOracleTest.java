package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.relation.AsOf;
import dev.millrace.relation.Join;
import dev.millrace.testing.OracleTable;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// As-of joins of random tables against a search through all rows, and against DuckDB's where it has the same.
@Timeout(300)
class AsOfOracleTest extends DuckDbOracle {
    private static final DataType STAMP = DataType.timestamp(TimeUnit.MICROSECOND);
    private static final List<DataType> TYPES =
            List.of(DataType.INT32, DataType.INT64, DataType.FLOAT64, DataType.decimal(12, 2), DataType.DATE, STAMP);
    private static final List<DataType> KEYS = List.of(DataType.INT8, DataType.INT64, DataType.FLOAT64, DataType.UTF8);

    @Override
    long[] targets() {
        return new long[] {300, 5_000, 128 << 20};
    }

    @Test
    void theNearestRowIsFound() throws Exception {
        for (long number = 0; number < Integer.getInteger("millrace.cases", 250); number++) {
            check(number);
        }
    }

    private void check(long number) throws Exception {
        Random random = new Random(seed + number);
        int keys = random.nextInt(3);
        DataType type = TYPES.get(random.nextInt(TYPES.size()));
        List<Field> left = new ArrayList<>(List.of(new Field("id", DataType.INT64)));
        List<Field> right = new ArrayList<>(List.of(new Field("rid", DataType.INT64)));
        String[] names = new String[keys];
        for (int i = 0; i < keys; i++) {
            names[i] = "k" + i;
            DataType key = KEYS.get(random.nextInt(KEYS.size()));
            left.add(new Field(names[i], key));
            right.add(new Field(names[i], key));
        }
        left.add(new Field("t", type));
        right.add(new Field("u", type));
        OracleTable a = new OracleTable(random, Schema.of(left), random.nextInt(60));
        OracleTable b = new OracleTable(random, Schema.of(right), random.nextInt(60));
        for (Object[] row : b.rows()) {
            if (!a.rows().isEmpty() && random.nextInt(3) > 0) {
                Object[] model = a.rows().get(random.nextInt(a.rows().size()));
                System.arraycopy(model, 1, row, 1, keys + random.nextInt(2));
            }
        }
        AsOf asOf = switch (random.nextInt(3)) {
            case 0 -> AsOf.earlier("t", "u");
            case 1 -> AsOf.later("t", "u");
            default -> AsOf.nearest("t", "u");
        };
        asOf = random.nextInt(3) == 0 ? asOf.strictly() : asOf;
        asOf = random.nextInt(3) == 0 ? tolerant(random, asOf, type) : asOf;
        Join join = (random.nextBoolean() ? Join.left(names) : Join.inner(names)).asOf(asOf);
        join = random.nextBoolean() ? join.broadcast(random.nextInt(2000)) : join;
        String which = "seed " + seed + ", case " + number + ", " + join + " of " + a.schema() + " and " + b.schema();
        Session session = sessions.get(random.nextInt(sessions.size()));
        try (MaterializedDataset l = session.fromBlocks(a.blocks(session.allocator()));
                MaterializedDataset r = session.fromBlocks(b.blocks(session.allocator()))) {
            List<String> found = pairs(l.join(r, join).takeAll());
            assertThat(found).as(which).isEqualTo(expected(a, b, join, keys));
            if (asOf.tolerance() == null && asOf.direction() != AsOf.Direction.NEAREST && distinct(b, keys)) {
                assertThat(found).as(which + " (DuckDB)").isEqualTo(duckDb(a, b, join, keys));
            }
            assertThat(l.join(r, join).count()).as(which).isEqualTo(found.size());
        }
    }

    private static AsOf tolerant(Random random, AsOf asOf, DataType type) {
        long far = 1L << random.nextInt(30);
        return switch (type) {
            case DataType.Int _ -> asOf.within(far);
            case DataType.Float _ -> asOf.within(random.nextDouble() * 10);
            case DataType.Decimal _ -> asOf.within(new BigDecimal(far).movePointLeft(3));
            default -> asOf.within(Duration.ofSeconds(far));
        };
    }

    private static List<String> expected(OracleTable a, OracleTable b, Join join, int keys) {
        List<String> pairs = new ArrayList<>();
        for (Object[] row : a.rows()) {
            Object[] best = null;
            for (Object[] other : b.rows()) {
                if (matches(row, other, keys)
                        && isNear(join.asOf(), row[keys + 1], other[keys + 1])
                        && (best == null || isBetter(join.asOf(), row[keys + 1], other[keys + 1], best[keys + 1]))) {
                    best = other;
                }
            }
            if (best != null || join.kind() == Join.Kind.LEFT) {
                pairs.add(row[0] + "/" + (best == null ? null : best[0]));
            }
        }
        return pairs.stream().sorted().toList();
    }

    private static boolean matches(Object[] row, Object[] other, int keys) {
        for (int i = 1; i <= keys; i++) {
            if (row[i] == null || other[i] == null || compare(row[i], other[i]) != 0) {
                return false;
            }
        }
        return row[keys + 1] != null && other[keys + 1] != null;
    }

    private static boolean isNear(AsOf asOf, Object value, Object other) {
        int order = compare(other, value);
        boolean side = switch (asOf.direction()) {
            case EARLIER -> order <= 0;
            case LATER -> order >= 0;
            case NEAREST -> true;
        };
        BigDecimal far = switch (asOf.tolerance()) {
            case null -> null;
            case Duration time -> new BigDecimal(time.toNanos());
            default -> new BigDecimal(asOf.tolerance().toString());
        };
        if (!side || (asOf.strict() && order == 0)) {
            return false;
        }
        if (far == null || order == 0) {
            return true;
        }
        if (value instanceof Double real) {
            return Math.abs(real - (Double) other) <= far.doubleValue();
        }
        return apart(value, other).compareTo(far) <= 0;
    }

    /// Whether a row that comes after the best one so far is better.
    private static boolean isBetter(AsOf asOf, Object value, Object other, Object best) {
        boolean later =
                compare(best, value) > 0 || (compare(best, value) == 0 && asOf.direction() == AsOf.Direction.LATER);
        if (compare(other, best) == 0) {
            return !later;
        }
        if (value instanceof Double real) {
            double a = Math.abs(real - (Double) other);
            double b = Math.abs(real - (Double) best);
            if (a < b || (compare(other, value) == 0)) {
                return true;
            }
            if (b < a || (compare(best, value) == 0)) {
                return false;
            }
            boolean bothBefore = compare(other, value) <= 0 && compare(best, value) <= 0;
            boolean bothAfter = compare(other, value) >= 0 && compare(best, value) >= 0;
            return bothBefore
                    ? compare(other, best) > 0
                    : bothAfter ? compare(other, best) < 0 : compare(other, value) < 0;
        }
        int order = apart(value, other).compareTo(apart(value, best));
        return order < 0 || (order == 0 && compare(other, value) < 0);
    }

    private static BigDecimal apart(Object a, Object b) {
        return switch (a) {
            case LocalDate day ->
                new BigDecimal(Math.abs(ChronoUnit.DAYS.between(day, (LocalDate) b)))
                        .multiply(new BigDecimal(86_400_000_000_000L));
            case LocalDateTime time ->
                new BigDecimal(Duration.between(time, (LocalDateTime) b).abs().toNanos());
            default ->
                new BigDecimal(a.toString())
                        .subtract(new BigDecimal(b.toString()))
                        .abs();
        };
    }

    private static int compare(Object a, Object b) {
        return switch (a) {
            case Double real -> Double.compare(real + 0.0, (Double) b + 0.0);
            case Number number -> new BigDecimal(number.toString()).compareTo(new BigDecimal(b.toString()));
            case LocalDate day -> day.compareTo((LocalDate) b);
            case LocalDateTime time -> time.compareTo((LocalDateTime) b);
            default -> a.toString().compareTo(b.toString());
        };
    }

    /// Whether no two rows are equally near.
    private static boolean distinct(OracleTable b, int keys) {
        for (int at = 0; at < b.rows().size(); at++) {
            Object[] row = b.rows().get(at);
            for (Object[] other : b.rows().subList(at + 1, b.rows().size())) {
                boolean same = true;
                for (int i = 1; i <= keys + 1; i++) {
                    same &= Objects.equals(row[i], other[i])
                            || (row[i] instanceof Double x && other[i] instanceof Double y && x + 0.0 == y + 0.0);
                }
                if (same) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<String> duckDb(OracleTable a, OracleTable b, Join join, int keys) throws Exception {
        a.load(duck, "l");
        b.load(duck, "r");
        String sign = (join.asOf().direction() == AsOf.Direction.EARLIER ? ">" : "<")
                + (join.asOf().strict() ? "" : "=");
        StringBuilder on = new StringBuilder("l.t " + sign + " r.u");
        for (int i = 0; i < keys; i++) {
            on.append(" and l.k").append(i).append(" = r.k").append(i);
        }
        List<String> pairs = new ArrayList<>();
        try (Statement statement = duck.createStatement();
                ResultSet result = statement.executeQuery("select id, rid from l asof "
                        + (join.kind() == Join.Kind.LEFT ? "left " : "") + "join r on " + on)) {
            while (result.next()) {
                pairs.add(result.getObject(1) + "/" + result.getObject(2));
            }
        }
        return pairs.stream().sorted().toList();
    }

    private static List<String> pairs(List<Row> rows) {
        return rows.stream()
                .map(row -> row.get("id") + "/" + row.get("rid"))
                .sorted()
                .toList();
    }

    @Test
    void whatCannotBeNearIsSaidAtTheCall() {
        Dataset rows = sessions.getFirst().range(3).withColumn("s", dev.millrace.expression.Expressions.lit("x"));
        Dataset other = rows.rename("id", "rid").rename("s", "r");
        assertThatThrownBy(() -> rows.join(other, Join.left().asOf(AsOf.earlier("s", "r"))))
                .hasMessageContaining("as of 's', which is utf8 on the left, and 'r', which is utf8 on the right");
        assertThatThrownBy(() -> rows.join(other, Join.full().asOf(AsOf.earlier("id", "rid"))))
                .hasMessageContaining("Use Join.left(...) or Join.inner(...)");
        assertThatThrownBy(() -> rows.join(
                        other, Join.left().asOf(AsOf.earlier("id", "rid").within(Duration.ofDays(1)))))
                .hasMessageContaining("so rows are a number apart, and not PT24H");
        assertThatThrownBy(() -> AsOf.earlier("id").within(-1)).hasMessageContaining("0 or more apart");
    }
}
