package dev.millrace;

import static dev.millrace.aggregate.Aggregates.define;
import static dev.millrace.aggregate.Aggregates.list;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.expression.Expressions.col;
import static dev.millrace.window.WindowFunctions.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.aggregate.AggregateDefinition;
import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.function.BatchFunction;
import dev.millrace.relation.Join;
import dev.millrace.relation.SortKey;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.type.DataType;
import dev.millrace.window.Window;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Errors of verbs that see more than one block are found far from the call, in tasks that many rows came to: they name
/// the verb and the line of the user's that called it.
class ShuffleErrorLinesTest {
    private static final String SITE = "ShuffleErrorLinesTest:";

    private final Session session = Session.builder()
            .limits(ResourceLimits.DEFAULT.withSlots(2).withMemory(48 << 20))
            .progress(ProgressSettings.OFF)
            .open();

    @AfterEach
    void close() {
        session.close();
    }

    /// A verb over rows `id`, `k` (0 to 2), `big` (whose sum is beyond int64), or over what a function makes of them.
    ///
    /// @param verb as the error names it, a pattern
    /// @param says something of the sentence
    record Failing(String verb, String says, UnaryOperator<Dataset> how) {
        @Override
        public String toString() {
            return verb + ": " + says;
        }
    }

    /// Columns that are not known before it runs.
    private static Dataset listed(Dataset rows) {
        return rows.map(row -> Row.of("id", row.getLong("id"), "v", List.of(row.getLong("id"))));
    }

    /// Blocks of different types, which nobody knows before they are made.
    private static Dataset torn(Dataset rows) {
        return rows.map(row -> Row.of("v", row.getLong("id") < 50 ? (Object) 1L : "one"));
    }

    static Stream<Failing> failures() {
        return Stream.of(
                new Failing("aggregate", "the sum of the column 'big' is ", d -> d.aggregate(sum("big"))),
                new Failing("aggregate", "beyond int64", d -> d.repartition(4).aggregate(sum("big"))),
                new Failing(
                        "groupBy\\(k\\)", "beyond int64", d -> d.groupBy("k").aggregate(sum("big"))),
                new Failing(
                        "groupBy\\(k\\)",
                        "beyond int64",
                        d -> d.map(row -> row).groupBy("k").aggregate(sum("big"))),
                new Failing(
                        "groupBy\\(k\\)", "no 7", d -> d.groupBy("k").aggregate(define("own", "id", new Refusing()))),
                new Failing(
                        "pivot\\(p by k\\)",
                        "beyond int64",
                        d -> d.withColumn("p", col("id").mod(2)).groupBy("k").pivot("p", List.of(0L, 1L), sum("big"))),
                new Failing("sort\\(v\\)", "'v'", d -> listed(d).sort("v")),
                new Failing("sort\\(v desc\\)", "'v'", d -> listed(d).sort(SortKey.descending("v"))),
                new Failing(
                        "top 3 of sort\\(v\\)", "'v'", d -> listed(d).sort("v").limit(3)),
                new Failing("join .*", "'v'", d -> listed(d).join(d.rename("id", "v"), Join.inner("v"))),
                new Failing(
                        "join .*",
                        "both sides have a column 'v'",
                        d -> listed(d).join(listed(d), Join.inner("id"))),
                new Failing(
                        "window\\(.*\\)",
                        "a sum is beyond int64",
                        d -> d.window(
                                Window.whole().orderBy("id"),
                                running(sum("big")).as("so far"))),
                new Failing(
                        "window\\(.*\\)",
                        "a sum is beyond int64",
                        d -> d.window(
                                Window.partitionBy("k").orderBy("id"),
                                running(sum("big")).as("so far"))),
                new Failing("distinct\\(w\\)", "'w'", d -> listed(d).distinct("w")),
                new Failing(
                        "distinct",
                        "no columns",
                        d -> d.mapBatches(batch -> batch.select()).distinct()),
                new Failing("repartition\\(3, w\\)", "'w'", d -> listed(d).repartition(3, "w")),
                new Failing("repartition\\(1\\)", "'v'", d -> torn(d).repartition(1)),
                new Failing("repartitionRows\\(60\\)", "'v'", d -> torn(d).repartitionRows(60, true)),
                new Failing("randomShuffle", "'v'", d -> torn(d).randomShuffle(1)),
                new Failing("zip", "different number of rows: 100, 99", d -> d.zip(d.limit(99))),
                new Failing("union", "does not fit", d -> d.select(col("id")).union(unsigned(d))),
                new Failing("mix", "does not fit", d -> d.select(col("id")).mix(unsigned(d))));
    }

    /// A column of int64 beside it becomes one of int64, which its values do not fit.
    private static Dataset unsigned(Dataset rows) {
        Expression large = col("big").cast(DataType.UINT64);
        return rows.select(large.plus(large).as("id"));
    }

    private Dataset rows() {
        return session.range(100, 2)
                .withColumn("k", col("id").mod(3))
                .withColumn("big", col("id").plus(Long.MAX_VALUE - 1000));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theErrorNamesTheVerbAndItsLine(Failing failing) {
        Dataset failed = failing.how().apply(rows());
        assertThat(message(failed)).contains(failing.says()).matches(named(failing.verb()));
    }

    @Test
    void aSentenceAboutMemoryHasTheLineToo() {
        assertThat(message(session.range(20_000_000).aggregate(list("id"))))
                .contains("memory")
                .matches(named("aggregate parts"));
    }

    private static String message(Dataset failing) {
        MillraceException thrown = catchThrowableOfType(MillraceException.class, failing::takeAll);
        assertThat(thrown).as("an error").isNotNull();
        return thrown.getMessage();
    }

    /// The line once, behind the sentence.
    private static Pattern named(String verb) {
        return Pattern.compile("(?s)((?!" + SITE + ").)* \\(" + verb + " at " + SITE + "\\d+\\)");
    }

    /// Fails as no sentence of ours does.
    private static class Refusing implements AggregateDefinition<Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public Long init() {
            return 0L;
        }

        @Override
        public Long accumulate(Long state, Object value) {
            if ((Long) value == 7) {
                throw new IllegalStateException("no 7");
            }
            return state;
        }

        @Override
        public Long merge(Long state, Long other) {
            return state;
        }

        @Override
        public Object finish(Long state) {
            return state;
        }

        @Override
        public DataType type() {
            return DataType.INT64;
        }
    }

    private static final class Circular extends Refusing {
        private static final long serialVersionUID = 1L;

        @Override
        @SuppressWarnings("InfiniteRecursion") // that is the error
        public Long accumulate(Long state, Object value) {
            return accumulate(state, value) + 1;
        }
    }

    @Test
    void anErrorThatNobodyWordedHasTheLineInItsPlace() {
        assertThat(message(rows().map(row -> row).groupBy("k").aggregate(define("own", "id", new Circular()))))
                .matches("groupBy\\(k\\) map at " + SITE + "\\d+ failed: the stack of its thread ran over\\. .*");
    }

    private static final class Odd implements BatchFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public Batch apply(Batch batch) {
            throw new IllegalStateException("odd");
        }
    }

    @Test
    void aFunctionOfGroupsIsNamedOnce() {
        String lambda = message(rows().groupBy("k").mapGroups(batch -> {
            throw new IllegalStateException("odd");
        }));
        assertThat(lambda).matches("(?s)mapGroups\\(" + SITE + "\\d+\\) failed on the group of k \\d: .*odd.*");
        assertThat(message(rows().groupBy("k").mapGroups(new Odd())))
                .startsWith("mapGroups(Odd " + SITE)
                .contains("failed on the group of k ", "odd")
                .doesNotContain(" at " + SITE);
        assertThat(message(rows().groupBy("k").mapGroups(batch -> null)))
                .containsPattern("mapGroups\\(" + SITE + "\\d+\\) returned null \\(the group of k ");
    }

    /// A step that runs in the tasks of the verb before it has its own line, not that of the verb.
    @Test
    void aStepBehindTheVerbIsNamedInItsPlace() {
        Dataset sorted = rows().sort("id");
        String message = message(sorted.withColumn("more", col("big").plus(2_000)));
        assertThat(message)
                .matches("(?s)select\\(.*\\) at " + SITE + "\\d+ failed on .* overflows int64.*")
                .doesNotContain("(sort");
    }
}
