package dev.millrace.internal.kernel.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.Columns;
import dev.millrace.internal.kernel.WidenKernel;
import dev.millrace.relation.AsOf;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.PlainValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.TimeUnit;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// [AsOfIndex] against a look at every row of the right.
class AsOfIndexTest {
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);
    private static final List<DataType> ORDERED = List.of(
            DataType.INT8,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.decimal(12, 2),
            DataType.timestamp(TimeUnit.SECOND),
            DataType.timestamp(TimeUnit.NANOSECOND));

    @Test
    void theNearestRowOfTheKeyIsFound() {
        RandomCase.check("AsOfIndex", 300, 60, AsOfIndexTest::check);
    }

    private static void check(RandomCase each) {
        DataType type = each.oneOf(ORDERED);
        AsOf asOf = new AsOf(
                "t",
                "t",
                each.oneOf(List.of(AsOf.Direction.values())),
                tolerance(each, type),
                each.random().nextBoolean());
        int asking = 30;
        boolean keyed = each.random().nextBoolean();
        List<Object> rightKeys = keyed ? each.values(DataType.UTF8, each.rows()) : ones(each.rows());
        List<Object> rightTimes = times(each, type, each.rows());
        List<Object> leftTimes = times(each, type, asking);
        List<Object> leftKeys = new ArrayList<>(keyed ? each.values(DataType.UTF8, asking) : ones(asking));
        for (int i = 0; i < asking && !rightKeys.isEmpty(); i++) {
            if (each.random().nextInt(4) > 0) {
                leftKeys.set(i, each.oneOf(rightKeys));
            }
            if (each.random().nextInt(3) == 0) {
                leftTimes.set(i, each.oneOf(rightTimes));
            }
        }
        each.about(asOf + " over " + each.rows() + " rows of " + type);
        DataType keyType = keyed ? DataType.UTF8 : DataType.INT64;
        DataType common = AsOfIndex.common(asOf, type, type);
        List<DataType> as = Arrays.asList((DataType) null);
        List<KeyForm> forms = List.of(KeyForm.of(keyType, keyType));
        List<Field> fields = List.of(new Field("k", keyType), new Field("t", type), new Field("row", DataType.INT64));
        List<Object> numbers = new ArrayList<>();
        for (long row = 0; row < each.rows(); row++) {
            numbers.add(row);
        }
        Column asked = each.column(keyType, leftKeys);
        Column stored = each.column(type, leftTimes);
        Column passing = WidenKernel.to(each.allocator(), stored, common);
        stored.release();
        try (Block rows = each.block(fields, List.of(rightKeys, rightTimes, numbers));
                JoinKeys unarranged = JoinKeys.of(each.allocator(), List.of(rows.column("k")), as);
                Block arranged = AsOfIndex.arrange(each.allocator(), rows, unarranged, asOf, common);
                JoinKeys keys = JoinKeys.of(each.allocator(), List.of(arranged.column("k")), as);
                JoinKeys others = JoinKeys.of(each.allocator(), List.of(asked), as);
                JoinHashTable table =
                        JoinHashTable.build(each.allocator(), keys, forms, Math.toIntExact(arranged.rows()));
                AsOfIndex index = AsOfIndex.of(each.allocator(), arranged, keys, table, asOf, common);
                AsOfIndex reader = AsOfIndex.over(
                        asOf, common, index.columns().get(0), index.columns().get(1))) {
            for (AsOfIndex one : List.of(index, reader)) {
                int[] firsts = new int[asking];
                table.find(others, 0, asking, firsts);
                one.narrow(passing, 0, asking, firsts);
                for (int i = 0; i < asking; i++) {
                    Object found = firsts[i] < 0 ? null : arranged.column("row").value(firsts[i]);
                    assertThat(found)
                            .as(
                                    "the row for %s, %s among %s, %s",
                                    leftKeys.get(i), leftTimes.get(i), rightKeys, rightTimes)
                            .isEqualTo(nearest(asOf, leftKeys.get(i), leftTimes.get(i), rightKeys, rightTimes));
                }
            }
        } finally {
            asked.release();
            passing.release();
        }
    }

    private static List<Object> ones(int count) {
        List<Object> ones = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ones.add(1L);
        }
        return ones;
    }

    private static List<Object> times(RandomCase each, DataType type, int count) {
        if (!(type instanceof DataType.Timestamp)) {
            return new ArrayList<>(each.values(type, count));
        }
        List<Object> times = new ArrayList<>();
        for (Object step : each.values(DataType.INT64, count, true)) {
            times.add(
                    step == null
                            ? null
                            : LocalDateTime.ofEpochSecond(1_600_000_000, 0, ZoneOffset.UTC)
                                    .plusSeconds((long) step));
        }
        return times;
    }

    private static Serializable tolerance(RandomCase each, DataType type) {
        if (each.random().nextBoolean()) {
            return null;
        }
        return type instanceof DataType.Timestamp
                ? Duration.ofMillis(500L * each.random().nextInt(6))
                : each.oneOf(List.<Serializable>of(0, 1L, 2.5, new BigDecimal("0.75"), 3));
    }

    /// The number of the row, or null.
    private static Object nearest(AsOf asOf, Object key, Object time, List<Object> rightKeys, List<Object> rightTimes) {
        Long best = null;
        for (int row = 0; row < rightKeys.size(); row++) {
            Object other = rightTimes.get(row);
            if (key == null
                    || time == null
                    || other == null
                    || !OracleValues.normal(key).equals(OracleValues.normal(rightKeys.get(row)))
                    || !isAllowed(asOf, time, other)) {
                continue;
            }
            if (best == null || isBetter(asOf, time, other, rightTimes.get(best.intValue()))) {
                best = (long) row;
            }
        }
        return best;
    }

    private static boolean isAllowed(AsOf asOf, Object time, Object other) {
        int order = PlainValues.compare(other, time, false);
        boolean side = switch (asOf.direction()) {
            case EARLIER -> order <= 0;
            case LATER -> order >= 0;
            case NEAREST -> true;
        };
        if (!side || order == 0 && asOf.strict()) {
            return false;
        }
        BigDecimal apart = apart(time, other);
        return switch (asOf.tolerance()) {
            case null -> true;
            case Duration far ->
                apart.compareTo(BigDecimal.valueOf(far.getSeconds())
                                .multiply(NANOS)
                                .add(BigDecimal.valueOf(far.getNano())))
                        <= 0;
            case Number far -> apart != null && apart.compareTo(new BigDecimal(far.toString())) <= 0;
            default -> throw new IllegalStateException();
        };
    }

    /// Null for more than any number.
    private static BigDecimal apart(Object a, Object b) {
        if (PlainValues.compare(a, b, false) == 0) {
            return BigDecimal.ZERO;
        }
        if (a instanceof LocalDateTime one && b instanceof LocalDateTime other) {
            Duration time = Duration.between(one, other).abs();
            return BigDecimal.valueOf(time.getSeconds()).multiply(NANOS).add(BigDecimal.valueOf(time.getNano()));
        }
        Number one = (Number) a;
        Number other = (Number) b;
        return Double.isFinite(one.doubleValue()) && Double.isFinite(other.doubleValue())
                ? PlainValues.exact(one).subtract(PlainValues.exact(other)).abs()
                : null;
    }

    /// Whether a later row of the right comes before the one that is best so far.
    private static boolean isBetter(AsOf asOf, Object time, Object other, Object best) {
        boolean forward = asOf.direction() == AsOf.Direction.LATER;
        boolean earlier = !forward && PlainValues.compare(other, time, false) <= 0;
        boolean bestEarlier = !forward && PlainValues.compare(best, time, false) <= 0;
        if (earlier == bestEarlier) {
            int order = PlainValues.compare(other, best, false);
            // Of equal ones the last where they come before, the first where they come after.
            return earlier ? order >= 0 : order < 0;
        }
        BigDecimal near = apart(time, other);
        BigDecimal nearest = apart(time, best);
        int closer = near == null || nearest == null
                ? Boolean.compare(near == null, nearest == null)
                : near.compareTo(nearest);
        return closer < 0 || closer == 0 && earlier;
    }

    /// Distances of nanoseconds over years have more digits than a double.
    @Test
    void aToleranceOfManyNanosecondsIsExact() {
        RandomCase.check("AsOfIndex with a tolerance of 200 days", 1, 1, each -> {
            DataType type = DataType.timestamp(TimeUnit.NANOSECOND);
            AsOf asOf = AsOf.earlier("t").within(Duration.ofDays(200));
            LocalDateTime start = LocalDateTime.of(2024, 1, 1, 0, 0);
            Column right = Columns.of(each.allocator(), type, List.of(start));
            Column left = Columns.of(
                    each.allocator(),
                    type,
                    List.of(start.plusDays(200), start.plusDays(200).plusNanos(1)));
            try (Block rows = Block.of(dev.millrace.type.Schema.of("t", type), List.of(right), 1);
                    JoinKeys keys = JoinKeys.of(each.allocator(), List.of(), List.of());
                    JoinHashTable table = JoinHashTable.build(each.allocator(), keys, List.of(), 1);
                    AsOfIndex index = AsOfIndex.of(each.allocator(), rows, keys, table, asOf, type)) {
                int[] firsts = new int[2];
                index.narrow(left, 0, 2, firsts);
                assertThat(firsts).containsExactly(0, -1);
            } finally {
                left.release();
            }
        });
    }
}
