package dev.millrace.internal.expression;

import static dev.millrace.expression.Expressions.col;
import static dev.millrace.expression.Expressions.list;
import static dev.millrace.expression.Expressions.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.column.Tensor;
import dev.millrace.expression.Expression;
import dev.millrace.testing.Seeds;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Functions of lists, maps and structs against DuckDB, over lists of several types with nulls within and without.
class ListOracleTest {
    private static final int ROWS = 120;
    private final long seed = Seeds.seed();
    private final Random random = new Random(seed);

    @Test
    void listsAreThoseOfDuckDb() throws Exception {
        check(DataType.INT32, "int", () -> random.nextInt(-4, 5));
        check(DataType.FLOAT64, "double", () -> random.nextInt(-4, 5) / 2.0);
        check(
                DataType.UTF8,
                "varchar",
                () -> List.of("", "a", "é", "😀", "zebra").get(random.nextInt(5)));
        check(DataType.BOOL, "boolean", random::nextBoolean);
        check(DataType.decimal(9, 2), "decimal(9, 2)", () -> java.math.BigDecimal.valueOf(random.nextInt(-3, 4), 2));
    }

    private void check(DataType element, String name, Supplier<Object> values) throws Exception {
        DataType type = DataType.list(element);
        Object[] a = lists(values);
        Object[] b = lists(values);
        Object[] nested = new Object[ROWS];
        for (int i = 0; i < ROWS; i++) {
            nested[i] = random.nextInt(8) == 0 ? null : listOf(() -> listOrNull(values));
        }
        Map<String, Expression> cases = new LinkedHashMap<>();
        cases.put("list_sort(a)", col("a").listSort());
        cases.put("list_reverse_sort(a)", col("a").listSortDescending());
        cases.put("list_reverse(a)", col("a").listReverse());
        cases.put("list_sort(list_distinct(a))", sql("list_sort(list_distinct(a))"));
        cases.put(
                both("list_sort(list_intersect(a, b))"),
                col("a").listIntersect(col("b")).listSort());
        cases.put(
                both("list_sort(list_distinct(list_concat(a, b)))"),
                col("a").listUnion(col("b")).listSort());
        cases.put(
                both("list_sort(list_distinct(list_filter(a, lambda x: not list_contains(b, x))))"),
                col("a").listExcept(col("b")).listSort());
        cases.put(both("list_has_any(a, b)"), col("a").hasAny(col("b")));
        cases.put(both("list_has_all(a, b)"), col("a").hasAll(col("b")));
        cases.put(both("a || b"), col("a").listConcat(col("b")));
        cases.put("flatten(n)", col("n").flatten());
        cases.put("list_filter(a, lambda x: x is not null)", col("a").listFilter(Expression::isNotNull));
        cases.put("list_transform(a, lambda x: x = p)", col("a").listMap(x -> x.eq(col("p"))));
        cases.put(
                "list_transform(n, lambda y: list_filter(y, lambda x: x <> p))",
                col("n").listMap(y -> y.listFilter(x -> x.ne(col("p")))));
        Object[] pivot = new Object[ROWS];
        for (int i = 0; i < ROWS; i++) {
            pivot[i] = random.nextInt(6) == 0 ? null : values.get();
        }
        try (BlockOf block = new BlockOf()
                        .with("a", type, a)
                        .with("b", type, b)
                        .with("n", DataType.list(type), nested)
                        .with("p", element, pivot);
                Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute(
                    "create table v(r int, a " + name + "[], b " + name + "[], n " + name + "[][], p " + name + ")");
            List<String> tuples = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                tuples.add("(" + i + ", " + literal(a[i]) + ", " + literal(b[i]) + ", " + literal(nested[i]) + ", "
                        + literal(pivot[i]) + ")");
            }
            statement.execute("insert into v values " + String.join(", ", tuples));
            for (Map.Entry<String, Expression> each : cases.entrySet()) {
                List<Object> expected = query(statement, each.getKey());
                List<Object> actual = block.eval(each.getValue());
                for (int i = 0; i < ROWS; i++) {
                    assertThat(actual.get(i))
                            .as(
                                    "%s of a=%s b=%s n=%s p=%s, seed %d",
                                    each.getKey(), a[i], b[i], nested[i], pivot[i], seed)
                            .isEqualTo(expected.get(i));
                }
                assertThat(block.eval(each.getValue(), 17, 93)).isEqualTo(actual.subList(17, 93));
            }
        }
    }

    /// Null where an operand is, also where DuckDB has an empty list.
    private static String both(String expression) {
        return "case when a is not null and b is not null then " + expression + " end";
    }

    private Object[] lists(Supplier<Object> values) {
        Object[] lists = new Object[ROWS];
        Arrays.setAll(lists, i -> listOrNull(values));
        return lists;
    }

    private Object listOrNull(Supplier<Object> values) {
        return random.nextInt(8) == 0 ? null : listOf(() -> random.nextInt(6) == 0 ? null : values.get());
    }

    private List<Object> listOf(Supplier<Object> values) {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            list.add(values.get());
        }
        return list;
    }

    private static String literal(Object value) {
        return switch (value) {
            case null -> "null";
            case List<?> list -> list.stream().map(ListOracleTest::literal).collect(Collectors.joining(", ", "[", "]"));
            case String text -> "'" + text + "'";
            default -> value.toString();
        };
    }

    private static List<Object> query(Statement statement, String expression) throws Exception {
        List<Object> values = new ArrayList<>();
        try (ResultSet result = statement.executeQuery("select " + expression + " from v order by r")) {
            while (result.next()) {
                values.add(plain(result.getObject(1)));
            }
        }
        return values;
    }

    private static Object plain(Object value) throws Exception {
        if (value instanceof java.sql.Array array) {
            List<Object> list = new ArrayList<>();
            for (Object each : (Object[]) array.getArray()) {
                list.add(plain(each));
            }
            return list;
        }
        return value;
    }

    @Test
    void mapsHaveKeysValuesAndEntries() {
        Map<String, Object> two = new LinkedHashMap<>();
        two.put("x", 1);
        two.put("y", null);
        try (BlockOf block = new BlockOf()
                .with("m", DataType.map(DataType.UTF8, DataType.INT32), two, null, Map.of(), Map.of("z", 3))) {
            assertThat(block.eval(col("m").mapKeys()))
                    .containsExactly(List.of("x", "y"), null, List.of(), List.of("z"));
            assertThat(block.eval(col("m").mapValues(), 1, 4)).containsExactly(null, List.of(), List.of(3));
            assertThat(block.eval(col("m").mapValues()).getFirst()).isEqualTo(Arrays.asList(1, null));
            assertThat(block.eval(col("m").mapEntries()).get(3)).isEqualTo(List.of(Map.of("key", "z", "value", 3)));
            assertThatThrownBy(() -> block.eval(col("m").mapKeys().mapKeys()))
                    .hasMessageContaining("but map_keys needs a map there. Cast it.");
        }
    }

    @Test
    void fieldsAreFoundByTheirIndex() {
        DataType type = DataType.struct(new Field("a", DataType.INT32), new Field("b", DataType.UTF8));
        try (BlockOf block = new BlockOf().with("s", type, Map.of("a", 1, "b", "x"), null)) {
            assertThat(block.eval(col("s").fieldAt(0))).containsExactly(1, null);
            assertThat(block.eval(col("s").fieldAt(-1))).containsExactly("x", null);
            assertThatThrownBy(() -> block.eval(col("s").fieldAt(2)))
                    .hasMessageContaining("there is no field 2 among the 2 fields of struct");
        }
    }

    @Test
    void tensorsBecomeListsAndListsTensors() {
        DataType tensor = DataType.tensor(DataType.FLOAT32, 2, 2);
        Tensor square = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);
        try (BlockOf block = new BlockOf()
                .with("t", tensor, null, square, square)
                .with("l", DataType.list(DataType.INT16), List.of(1, 2), null, List.of(3, 4))) {
            assertThat(block.eval(col("t").toList(), 1, 3))
                    .containsExactly(List.of(1f, 2f, 3f, 4f), List.of(1f, 2f, 3f, 4f));
            assertThat(block.eval(col("t").toList()).getFirst()).isNull();
            assertThat(block.eval(col("t").toList().toTensor(2, 2))).containsExactly(null, square, square);
            assertThat(block.eval(col("l").toTensor(2).toList()))
                    .containsExactly(List.of((short) 1, (short) 2), null, List.of((short) 3, (short) 4));
            assertThat(block.eval(col("t").toList().listSortDescending()).get(1))
                    .isEqualTo(List.of(4f, 3f, 2f, 1f));
            assertThatThrownBy(() -> block.eval(col("l").toTensor(3)))
                    .hasMessageContaining(
                            "a list of 2 elements is no tensor<int16, 3>, which has 3, in row 0 of the block.");
            assertThatThrownBy(() -> block.eval(list(1, null).toTensor(2)))
                    .hasMessageContaining("a tensor has no nulls, but element 1 of the list is null, in row 0");
        }
    }

    @Test
    void vectorsOfEveryNumberTypeAreCompared() {
        for (DataType type : List.of(
                DataType.INT8,
                DataType.UINT8,
                DataType.INT16,
                DataType.UINT16,
                DataType.INT32,
                DataType.UINT32,
                DataType.INT64,
                DataType.UINT64,
                DataType.FLOAT16,
                DataType.FLOAT32,
                DataType.FLOAT64)) {
            try (BlockOf block = new BlockOf()
                    .with("a", DataType.list(type), List.of(3, 4), null, List.of(), Arrays.asList(1, null))
                    .with(
                            "b",
                            DataType.fixedList(type, 2),
                            List.of(4, 3),
                            List.of(1, 2),
                            List.of(1, 2),
                            List.of(1, 2))) {
                Expression dot = col("a").dotProduct(col("b"));
                assertThat(block.eval(dot, 0, 2)).as("%s", type).containsExactly(24.0, null);
                assertThat(block.eval(dot, 3, 4)).containsExactly((Object) null);
                assertThat(block.eval(col("a").cosineSimilarity(col("b")), 0, 1))
                        .containsExactly(0.96);
                assertThatThrownBy(() -> block.eval(dot))
                        .hasMessageContaining("vectors of 0 and 2 elements cannot be compared, in row 2 of the block.");
            }
        }
    }

    @Test
    void aLambdaOverNullRowsAndHiddenElementsFailsForNone() {
        try (BlockOf block = new BlockOf()
                .with("l", DataType.list(DataType.INT32), List.of(1, 2), null, List.of(0))
                .with("d", DataType.INT32, 1, 0, 2)) {
            assertThat(block.eval(col("l").listMap(x -> x.intDiv(col("d")))))
                    .containsExactly(List.of(1, 2), null, List.of(0));
            assertThatThrownBy(() -> block.eval(col("d").listMap(x -> x)))
                    .hasMessageContaining("d is int32, but a list is needed there. Cast it.");
            assertThat(col("l").listMap(x -> x.intDiv(col("d"))).columns()).isEqualTo(new HashSet<>(List.of("l", "d")));
            assertThat(col("l").listFilter(x -> x.gt(1))).hasToString("list_filter(l, [element] > 1)");
            assertThat(Collections.singletonList(col("l").listMap(x -> x))).containsExactly(col("l").listMap(x -> x));
        }
    }
}
