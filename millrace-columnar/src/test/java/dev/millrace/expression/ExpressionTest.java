package dev.millrace.expression;

import static dev.millrace.expression.Expressions.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.type.DataType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExpressionTest {

    @Test
    void theTextIsWhatExplainShows() {
        assertThat(col("a").plus(1).gt(5)).hasToString("(a + 1) > 5");
        assertThat(col("a").isNull().or(col("b").eq("it's"))).hasToString("(a is null) or (b = 'it''s')");
        assertThat(col("a").between(1, 2).not()).hasToString("not ((a >= 1) and (a <= 2))");
        assertThat(col("a").isIn(1, 2)).hasToString("a in (1, 2)");
        assertThat(when(col("a").gt(1)).then("x").otherwise(col("b")))
                .hasToString("case when a > 1 then 'x' else b end");
        assertThat(col("a").cast(DataType.INT8)).hasToString("cast(a as int8)");
        assertThat(col("a").field("x").lower().as("n")).hasToString("lower(a.x) as n");
        assertThat(col("a").plus(1).negate()).hasToString("-(a + 1)");
        assertThat(col("d").gt(LocalDate.of(2024, 1, 2))).hasToString("d > '2024-01-02'");
        assertThat(udf("f", DataType.INT32, (Integer x) -> x, col("a"))).hasToString("f(a)");
    }

    @Test
    void outputNamesAreAliasColumnFieldOrText() {
        assertThat(col("a").plus(1).as("b").outputName()).isEqualTo("b");
        assertThat(col("a").outputName()).isEqualTo("a");
        assertThat(col("a").field("x").outputName()).isEqualTo("x");
        assertThat(col("a").plus(1).outputName()).isEqualTo("a + 1");
    }

    @Test
    void columnsComeInOrderOfAppearance() {
        Expression e = when(col("c").gt(0)).then(col("a")).otherwise(col("c").plus(col("b")));
        assertThat(e.columns()).containsExactly("c", "a", "b");
        assertThat(lit(1).plus(2).columns()).isEmpty();
    }

    @Test
    void substitutionReplacesColumnsByWhatComputesThem() {
        Expression filter = col("total").gt(10).and(col("name").isNotNull());
        Expression pushed =
                filter.substitute(Map.of("total", col("price").times(col("n")).as("total")));
        assertThat(pushed).hasToString("((price * n) > 10) and (name is not null)");
        assertThat(filter.substitute(Map.of("other", lit(1)))).isSameAs(filter);
    }

    @Test
    void conjunctionsSplitAndJoin() {
        Expression a = col("a").gt(1);
        Expression b = col("b").gt(1);
        Expression c = col("c").or(col("d"));
        assertThat(a.and(b.and(c)).conjuncts()).containsExactly(a, b, c);
        assertThat(allOf(List.of(a, b, c)).conjuncts()).containsExactly(a, b, c);
        assertThat(allOf(List.of())).isEqualTo(lit(true));
    }

    @Test
    void onlyUsersFunctionsMayBeNondeterministic() {
        UserCall call = udf("roll", DataType.FLOAT64, (Double x) -> Math.random(), col("a"));
        assertThat(call.plus(1).isDeterministic()).isTrue();
        assertThat(call.nondeterministic().plus(1).isDeterministic()).isFalse();
    }

    @Test
    void everyNodeSurvivesSerialisation() throws Exception {
        List<Expression> nodes = List.of(
                col("a"),
                lit(null),
                lit(new byte[] {1, 2}),
                lit(new BigDecimal("1.50")),
                lit(Instant.EPOCH),
                lit(Duration.ofSeconds(3)),
                lit(List.of(1, 2)),
                col("a").as("b"),
                col("a").plus(1),
                col("a").eq(1),
                col("a").and(true),
                col("a").not(),
                col("a").isNull(),
                col("a").isIn("x", "y"),
                when(col("a")).then(1).when(col("b")).then(2).otherwise(3),
                coalesce(col("a"), 1),
                col("a").tryCast(DataType.timestamp(dev.millrace.type.TimeUnit.SECOND, "UTC")),
                col("a").lower(),
                col("a").round(2),
                col("a").year(),
                col("a").listSort(),
                col("a").field("x"),
                struct(col("a"), lit(1).as("b")),
                list(1, 2));
        for (Expression node : nodes) {
            assertThat(copy(node)).isEqualTo(node).hasSameHashCodeAs(node).hasToString(node.toString());
        }
        UserCall call = (UserCall) copy(udf("twice", DataType.INT32, (Integer x) -> 2 * x, col("a")));
        @SuppressWarnings("unchecked")
        UserFunction.Of1<Integer, Integer> function = (UserFunction.Of1<Integer, Integer>) call.function();
        assertThat(function.apply(21)).isEqualTo(42);
    }

    @Test
    void withChildrenRebuildsEveryNode() {
        for (Expression node : List.of(
                col("a").as("b"),
                col("a").plus(1),
                col("a").isIn(1),
                when(col("a")).then(1).otherwise(3),
                col("a").cast(DataType.INT8),
                col("a").field("x"),
                struct(col("a")),
                list(col("a")),
                col("a").lower())) {
            assertThat(node.withChildren(node.children())).isEqualTo(node);
        }
    }

    private static Expression copy(Expression expression) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(expression);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (Expression) in.readObject();
        }
    }
}
