package dev.millrace.internal.kernel.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.column.Column;
import dev.millrace.error.MillraceException;
import dev.millrace.testing.OracleValues;
import dev.millrace.testing.RandomCase;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// [JoinHashTable] over [JoinKeys] of every pair of types that [KeyForm] lets meet, against nested loops.
class JoinKernelTest {
    private static final List<DataType> TYPES = List.of(
            DataType.NULL,
            DataType.BOOL,
            DataType.INT8,
            DataType.INT16,
            DataType.INT32,
            DataType.INT64,
            DataType.UINT8,
            DataType.UINT16,
            DataType.UINT32,
            DataType.UINT64,
            DataType.FLOAT16,
            DataType.FLOAT32,
            DataType.FLOAT64,
            DataType.decimal(7, 2),
            DataType.decimal(12, 4),
            DataType.decimal(30, 2),
            DataType.DATE,
            DataType.time(TimeUnit.SECOND),
            DataType.time(TimeUnit.NANOSECOND),
            DataType.timestamp(TimeUnit.SECOND),
            DataType.timestamp(TimeUnit.MICROSECOND),
            DataType.timestamp(TimeUnit.MILLISECOND, "Europe/Berlin"),
            DataType.timestamp(TimeUnit.SECOND, "America/New_York"),
            DataType.duration(TimeUnit.SECOND),
            DataType.duration(TimeUnit.MILLISECOND),
            DataType.UTF8,
            DataType.BINARY);

    @Test
    void everyPairOfTypesMeetsByValueOrIsRefused() {
        for (DataType left : TYPES) {
            for (DataType right : TYPES) {
                String pair = left + " with " + right;
                if (!canMeet(left, right)) {
                    assertThat(catchThrowable(() -> KeyForm.common("a", left, "b", right)))
                            .as(pair)
                            .isInstanceOf(MillraceException.class)
                            .hasMessageContaining("'a' of the left is " + left + " and 'b' of the right is " + right);
                    continue;
                }
                RandomCase.check("JoinHashTable of " + pair, 5, 50, each -> check(each, List.of(left), List.of(right)));
            }
        }
    }

    private static boolean canMeet(DataType left, DataType right) {
        if (left instanceof DataType.Null || right instanceof DataType.Null || left.equals(right)) {
            return true;
        }
        return switch (left) {
            case DataType.Int _ -> isNumber(right);
            case DataType.Float _ -> right instanceof DataType.Int || right instanceof DataType.Float;
            case DataType.Decimal _ -> right instanceof DataType.Int || right instanceof DataType.Decimal;
            case DataType.Date _ -> right instanceof DataType.Timestamp time && time.zone() == null;
            case DataType.Time _ -> right instanceof DataType.Time;
            case DataType.Duration _ -> right instanceof DataType.Duration;
            case DataType.Timestamp one ->
                right instanceof DataType.Timestamp other
                        ? (one.zone() == null) == (other.zone() == null)
                        : right instanceof DataType.Date && one.zone() == null;
            default -> false;
        };
    }

    private static boolean isNumber(DataType type) {
        return type instanceof DataType.Int || type instanceof DataType.Float || type instanceof DataType.Decimal;
    }

    @Test
    void severalKeysAreEqualTogether() {
        RandomCase.check("JoinHashTable of several keys", 120, 100, each -> {
            List<DataType> left = new ArrayList<>();
            List<DataType> right = new ArrayList<>();
            for (int i = each.random().nextInt(4); i >= 0; i--) {
                DataType one = each.oneOf(TYPES);
                List<DataType> others =
                        TYPES.stream().filter(type -> canMeet(one, type)).toList();
                left.add(one);
                right.add(each.oneOf(others));
            }
            check(each, left, right);
        });
    }

    @Test
    void withoutKeysEveryRowMeetsEveryRow() {
        RandomCase.check("JoinHashTable without keys", 10, 50, each -> {
            try (JoinKeys none = JoinKeys.of(each.allocator(), List.of(), List.of());
                    JoinHashTable table = JoinHashTable.build(each.allocator(), none, List.of(), each.rows())) {
                assertThat(found(table, none, 3))
                        .containsOnly(IntStream.range(0, each.rows()).boxed().toList());
            }
        });
    }

    /// Builds the right and asks with the left; the same over columns, as another task would.
    private static void check(RandomCase each, List<DataType> left, List<DataType> right) {
        int asking = 1 + each.random().nextInt(40);
        List<List<Object>> leftValues = new ArrayList<>();
        List<List<Object>> rightValues = new ArrayList<>();
        List<Column> leftColumns = new ArrayList<>();
        List<Column> rightColumns = new ArrayList<>();
        List<DataType> as = new ArrayList<>();
        List<KeyForm> forms = new ArrayList<>();
        for (int k = 0; k < left.size(); k++) {
            List<Object> built = each.values(right.get(k), each.rows());
            List<Object> asked = each.valuesLike(left.get(k), asking, built);
            rightValues.add(built);
            leftValues.add(asked);
            leftColumns.add(each.column(maybeCoded(each, left.get(k)), asked));
            rightColumns.add(each.column(maybeCoded(each, right.get(k)), built));
            as.add(KeyForm.common("a", left.get(k), "b", right.get(k)));
        }
        each.about(leftColumns.stream().map(Column::type).toList() + " asks " + each.rows() + " rows of "
                + rightColumns.stream().map(Column::type).toList());
        try (JoinKeys keys = JoinKeys.of(each.allocator(), rightColumns, as);
                JoinKeys others = JoinKeys.of(each.allocator(), leftColumns, as)) {
            for (int k = 0; k < left.size(); k++) {
                forms.add(KeyForm.require(
                        "a", others.types().get(k), "b", keys.types().get(k)));
            }
            try (JoinHashTable table = JoinHashTable.build(each.allocator(), keys, forms, each.rows())) {
                List<List<Integer>> expected = new ArrayList<>();
                for (int row = 0; row < asking; row++) {
                    expected.add(meeting(leftValues, row, rightValues, each.rows()));
                }
                same(found(table, others, asking), expected, leftValues, rightValues);
                Column slots = table.slots();
                Column words = table.words(each.rows());
                Column chains = table.chains(each.rows());
                try (JoinHashTable reader = JoinHashTable.over(table.shape(), keys, slots, words, chains)) {
                    same(found(reader, others, asking), expected, leftValues, rightValues);
                    assertThat(reader.isUnique()).isEqualTo(table.isUnique());
                } finally {
                    Arrays.asList(slots, words, chains).forEach(column -> {
                        if (column != null) {
                            column.release();
                        }
                    });
                }
            }
        } finally {
            leftColumns.forEach(Column::release);
            rightColumns.forEach(Column::release);
        }
    }

    private static DataType maybeCoded(RandomCase each, DataType type) {
        return each.rarely(4) && !(type instanceof DataType.Null) ? DataType.dictionary(type) : type;
    }

    private static List<Integer> meeting(List<List<Object>> left, int row, List<List<Object>> right, int rows) {
        return IntStream.range(0, rows)
                .filter(other -> IntStream.range(0, left.size())
                        .allMatch(
                                k -> isEqual(left.get(k).get(row), right.get(k).get(other))))
                .boxed()
                .toList();
    }

    private static boolean isEqual(Object a, Object b) {
        if (a == null || b == null) {
            return false;
        }
        return comparable(a).equals(comparable(b));
    }

    private static Object comparable(Object value) {
        return switch (value) {
            case ZonedDateTime time -> time.toInstant();
            case LocalDate day -> day.atStartOfDay();
            default -> OracleValues.normal(value);
        };
    }

    @Test
    void aUint64IsEqualToAFloatAboveAllLongs() {
        RandomCase.check("JoinHashTable of uint64 with float64", 1, 1, each -> {
            List<Object> whole = List.of(
                    BigInteger.ONE.shiftLeft(63),
                    BigInteger.ONE.shiftLeft(63).add(BigInteger.ONE),
                    BigInteger.ONE.shiftLeft(64).subtract(BigInteger.valueOf(2048)),
                    BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE),
                    BigInteger.ONE.shiftLeft(63).subtract(BigInteger.ONE));
            List<Object> real = List.of(0x1p63, 0x1p64, 0x1p64 - 2048);
            Column wholes = each.column(DataType.UINT64, whole);
            Column reals = each.column(DataType.FLOAT64, real);
            List<DataType> as = Collections.singletonList(null);
            try (JoinKeys keys = JoinKeys.of(each.allocator(), List.of(wholes), as);
                    JoinKeys others = JoinKeys.of(each.allocator(), List.of(reals), as);
                    JoinHashTable table =
                            JoinHashTable.build(each.allocator(), keys, List.of(KeyForm.FLOAT), whole.size())) {
                assertThat(found(table, others, real.size())).containsExactly(List.of(0), List.of(), List.of(2));
            } finally {
                wholes.release();
                reals.release();
            }
        });
    }

    private static List<List<Integer>> found(JoinHashTable table, JoinKeys others, int asking) {
        int[] firsts = new int[asking];
        table.find(others, 0, asking, firsts);
        List<List<Integer>> found = new ArrayList<>();
        for (int first : firsts) {
            List<Integer> rows = new ArrayList<>();
            for (int row = first; row >= 0; row = table.after(row)) {
                rows.add(row);
            }
            found.add(rows);
        }
        return found;
    }

    private static void same(
            List<List<Integer>> found,
            List<List<Integer>> expected,
            List<List<Object>> left,
            List<List<Object>> right) {
        for (int row = 0; row < expected.size(); row++) {
            int asked = row;
            assertThat(found.get(row))
                    .as(
                            "rows of the key %s among %s",
                            left.stream().map(column -> column.get(asked)).toList(), right)
                    .isEqualTo(expected.get(row));
        }
    }
}
