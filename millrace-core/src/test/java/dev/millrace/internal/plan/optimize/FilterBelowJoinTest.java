package dev.millrace.internal.plan.optimize;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.ReadTasks;
import dev.millrace.expression.Expression;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.relation.Join;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import org.junit.jupiter.api.Test;

class FilterBelowJoinTest {
    private static final Schema LEFT = Schema.of(
            new Field("k", DataType.INT64),
            new Field("a", DataType.INT64),
            new Field("x", DataType.INT64),
            new Field("t", DataType.UTF8));
    private static final Schema RIGHT =
            Schema.of(new Field("k", DataType.INT64), new Field("b", DataType.INT64), new Field("x", DataType.INT64));

    @Test
    void eachPartGoesToTheSideWhoseColumnsItUses() {
        Expression filter = col("a").gt(5).and(col("b").lt(3)).and(col("a").lt(col("b")));
        assertThat(pushed(Join.inner("k"), filter)).isEqualTo("(a > 5) | (b < 3) | a < b");
        assertThat(pushed(Join.left("k"), filter)).isEqualTo("(a > 5) | - | (b < 3) and (a < b)");
        assertThat(pushed(Join.right("k"), filter)).isEqualTo("- | (b < 3) | (a > 5) and (a < b)");
        assertThat(pushed(Join.full("k"), filter)).isEqualTo("- | - | ((a > 5) and (b < 3)) and (a < b)");
        assertThat(pushed(Join.cross(), col("a").gt(5))).isEqualTo("(a > 5) | - | -");
    }

    @Test
    void whatIsSaidOfAKeyIsSaidOfBothSides() {
        for (Join join : new Join[] {Join.inner("k"), Join.left("k"), Join.right("k"), Join.full("k")}) {
            assertThat(pushed(join, col("k").gt(5))).as(join.toString()).isEqualTo("(k > 5) | (k > 5) | -");
        }
        assertThat(pushed(Join.leftSemi("k"), col("k").gt(5))).isEqualTo("(k > 5) | - | -");
        assertThat(pushed(Join.rightAnti("k"), col("k").gt(5))).isEqualTo("- | (k > 5) | -");
    }

    @Test
    void namesWithSuffixesAreThoseOfTheirSideBelow() {
        assertThat(pushed(Join.inner("k"), col("x_r").gt(5))).isEqualTo("- | (x > 5) | -");
        assertThat(pushed(Join.inner("k"), col("x").gt(5))).isEqualTo("(x > 5) | - | -");
    }

    @Test
    void whatCanFailStaysAbove() {
        assertThat(pushed(Join.inner("k"), col("a").dividedBy(col("x")).gt(5))).startsWith("- | - | ");
    }

    @Test
    void functionsOfTextThatHaveAResultForEveryTextArePushed() {
        for (Expression text : new Expression[] {
            col("t").lower(), col("t").substring(1, 3), col("t").replace("a", "b"), col("t").concat("x")
        }) {
            assertThat(pushed(Join.inner("k"), text.eq("x"))).isEqualTo("(" + text.eq("x") + ") | - | -");
        }
        assertThat(pushed(Join.inner("k"), col("t").like("a%"))).endsWith("| - | -");
    }

    @Test
    void functionsOfTextThatMayFailStayAbove() {
        Expression t = col("t");
        for (Expression text : new Expression[] {
            t.repeat(col("a")),
            t.lpad(1 << 30, " "),
            t.rpad(1 << 30, " "),
            t.center(1 << 30, " "),
            t.jsonText("$.a"),
            t.jsonExtract("$.a"),
            t.regexReplace("a", "$7"),
            t.regexReplaceFirst("a", "$7"),
            t.regexExtract("(a|b)*", 1),
            t.substring(col("a"))
        }) {
            assertThat(pushed(Join.inner("k"), text.eq("x"))).isEqualTo("- | - | " + text.eq("x"));
        }
        assertThat(pushed(Join.inner("k"), t.regexMatches("(a|b)*"))).startsWith("- | - | ");
    }

    /// What was added to the left, to the right, and what is left above.
    private static String pushed(Join join, Expression filter) {
        LogicalPlan plan = new LogicalPlan.Filter(
                new LogicalPlan.Joined(read(LEFT), read(RIGHT), join.rightSuffix("_r"), null), filter);
        LogicalPlan made = new PushFilterDown().apply(plan);
        LogicalPlan.Joined joined =
                (LogicalPlan.Joined) (made instanceof LogicalPlan.Filter above ? above.input() : made);
        String above =
                made instanceof LogicalPlan.Filter rest ? rest.predicate().toString() : "-";
        return of(joined.left()) + " | " + of(joined.right()) + " | " + above;
    }

    private static String of(LogicalPlan side) {
        return side instanceof LogicalPlan.Filter filter ? "(" + filter.predicate() + ")" : "-";
    }

    private static LogicalPlan read(Schema schema) {
        return new LogicalPlan.Read(FakeSource.of(schema), ReadTasks.defaults());
    }
}
