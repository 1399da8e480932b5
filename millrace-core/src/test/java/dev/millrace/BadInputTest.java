package dev.millrace;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.column.LongColumn;
import dev.millrace.compute.Compute;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.BatchFunction;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.iteration.BatchOptions;
import dev.millrace.settings.ProgressSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The sentence for each bad input.
@Timeout(60)
class BadInputTest {
    private final Session session = Session.builder()
            .progress(ProgressSettings.OFF)
            .runtime(new EmbeddedRuntime(DatasetSuite.CAPACITY))
            .open();

    @AfterEach
    void close() {
        session.close();
    }

    private static MillraceException error(ThrowingCallable call) {
        MillraceException thrown = catchThrowableOfType(MillraceException.class, call);
        assertThat(thrown).as("an error").isNotNull();
        return thrown;
    }

    private static String userError(ThrowingCallable call) {
        MillraceException thrown = error(call);
        assertThat(thrown.culprit()).as(thrown.getMessage()).isEqualTo(Culprit.USER);
        return thrown.getMessage();
    }

    record Missing(long id, String nope) {}

    static final class Model implements BatchFunction {
        private static final long serialVersionUID = 1L;

        @Override
        public Batch apply(Batch batch) {
            return batch;
        }
    }

    // What a function returns

    @Test
    void columnsOfUnequalLength() {
        String message = userError(() -> session.range(10, 1)
                .mapBatches(
                        batch -> batch.with("label", new long[] {1, 2, 3}),
                        Compute.tasks().name("label"))
                .takeAll());
        assertThat(message)
                .contains("label")
                .contains("3")
                .contains("10")
                .contains("equal length")
                .contains("ids 0-9");
    }

    @Test
    void aBatchOfTheWrongType() {
        String message = userError(() -> session.range(3, 1)
                .mapBatches(batch -> batch.with("a", new Object()))
                .takeAll());
        assertThat(message).contains("mapBatches(BadInputTest:").contains("Column 'a' cannot be made of Object");
    }

    @Test
    void noBatchAtAll() {
        String message =
                userError(() -> session.range(3, 1).mapBatches(batch -> null).takeAll());
        assertThat(message)
                .contains("mapBatches(BadInputTest:")
                .contains("null")
                .contains("ids 0-2");
    }

    @Test
    void noRowAtAll() {
        String message = userError(() -> session.range(3, 1).map(row -> null).takeAll());
        assertThat(message).contains("map(BadInputTest:").contains("null");
    }

    @Test
    void aFunctionThatThrowsNamesOperatorSplitRowsAndTheUsersLine() {
        MillraceException thrown = error(() -> session.range(100, 4)
                .map(row -> {
                    if (row.getLong("id") == 60) {
                        throw new IllegalStateException("no such row");
                    }
                    return row.copy();
                })
                .takeAll());
        assertThat(thrown.culprit()).isEqualTo(Culprit.USER);
        assertThat(thrown.getMessage())
                .contains("map(BadInputTest:")
                .contains("ids 50-74")
                .contains("IllegalStateException: no such row")
                .contains("BadInputTest.java:");
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        assertThat(cause).isInstanceOf(IllegalStateException.class);
        assertThat(cause.getStackTrace()[0].getFileName()).isEqualTo("BadInputTest.java");
    }

    @Test
    void aBatchUsedAfterItsFunction() {
        List<Batch> kept = new ArrayList<>();
        List<LongColumn> columns = new ArrayList<>();
        session.range(10, 1)
                .mapBatches(batch -> {
                    kept.add(batch);
                    columns.add(batch.longs("id"));
                    return batch;
                })
                .takeAll();
        String message = userError(() -> kept.getFirst().longs("id"));
        assertThat(message)
                .contains("mapBatches(BadInputTest:")
                .contains("used after the function returned")
                .contains("copy");
        assertThat(userError(() -> columns.getFirst().get(0))).contains("used after the function returned");
    }

    @Test
    void aRowUsedAfterItsFunction() {
        List<Row> kept = new ArrayList<>();
        session.range(10, 1)
                .filter(row -> {
                    kept.add(row);
                    return true;
                })
                .takeAll();
        assertThat(userError(() -> kept.getFirst().getLong("id"))).contains("after the function returned");
    }

    @Test
    void aFactoryThatFails() {
        String message = userError(() -> session.range(3)
                .mapBatches(
                        () -> {
                            throw new IllegalStateException("no model file");
                        },
                        Compute.actors(1))
                .takeAll());
        assertThat(message).contains("no model file");
    }

    // Columns

    @Test
    void unknownColumns() {
        Dataset rows = session.items(Row.of("a", 1L, "b", "x"));
        assertThat(userError(() -> rows.select("a", "nope")))
                .isEqualTo("select: there is no column 'nope'. The columns are [a, b].");
        assertThat(userError(() -> rows.drop("nope")))
                .isEqualTo("drop: there is no column 'nope'. The columns are [a, b].");
        assertThat(userError(() -> rows.rename("nope", "x")))
                .isEqualTo("rename: there is no column 'nope'. The columns are [a, b].");
        assertThat(userError(() -> rows.explode("nope")))
                .isEqualTo("explode: there is no column 'nope'. The columns are [a, b].");
        assertThat(userError(() -> rows.filter(col("nope").gt(1))))
                .contains("there is no column 'nope'. The columns are [a, b].");
        assertThat(userError(() -> rows.withColumn("c", col("nope").plus(1))))
                .contains("there is no column 'nope'. The columns are [a, b].");
        assertThat(userError(() -> rows.iterRecords(Missing.class)))
                .contains("Missing has a component 'id', but there is no such column. The columns are [a, b].");
        assertThat(userError(() -> rows.map(Missing.class, Missing.class, m -> m)))
                .contains("map: Missing has a component 'id'");
    }

    @Test
    void duplicateColumns() {
        Dataset rows = session.items(Row.of("a", 1L, "b", "x"));
        assertThat(userError(() -> rows.select("a", "a")))
                .isEqualTo("select: the column 'a' would come twice, of [a, a]. Column names must be unique.");
        assertThat(userError(() -> rows.select(col("a"), col("b").as("a")))).contains("'a' would come twice");
        assertThat(userError(() -> rows.rename("a", "b"))).contains("rename: the column 'b' would come twice");
        assertThat(userError(() -> rows.rename(List.of("x", "y", "z"))))
                .isEqualTo("rename: 3 names for 2 columns, [a, b]. Give one for each, or name those that change:"
                        + " rename(Map.of(\"old\", \"new\")).");
        assertThat(userError(() -> rows.rename(List.of("x", "x")))).contains("rename: the column 'x' would come twice");
    }

    @Test
    void wrongTypesInExpressions() {
        Dataset rows = session.items(Row.of("a", 1L, "b", "x"));
        assertThat(userError(() -> rows.filter(col("a").plus(1)))).contains("filter needs a condition");
        assertThat(userError(() -> rows.withColumn("c", col("a").plus(col("b")))))
                .contains("int64")
                .contains("utf8");
        assertThat(userError(() -> rows.explode("a"))).isEqualTo("explode needs a list column, but 'a' is int64.");
    }

    @Test
    void incompatibleTypesInAUnion() {
        assertThat(userError(() -> session.items(Row.of("a", 1L)).union(session.items(Row.of("a", "x")))))
                .contains("union: input 2")
                .contains("Column 'a' is int64 in one place and utf8 in another");
    }

    @Test
    void mixedItems() {
        assertThat(userError(() -> session.items(Row.of("a", 1), Row.of("a", "x"))))
                .contains("items: column 'a' of row 1 does not fit")
                .contains("int32")
                .contains("utf8");
        assertThat(userError(() -> session.items(Map.of(1, 2)))).contains("must be strings, not 1");
    }

    // Numbers

    @Test
    void negativeNumbers() {
        assertThat(userError(() -> session.range(3).limit(-1)))
                .isEqualTo("limit: the number of rows must be 0 or more, not -1.");
        assertThat(userError(() -> session.range(3).offset(-2)))
                .contains("offset: the number of rows must be 0 or more");
        assertThat(userError(() -> session.range(-3))).contains("range: the number of rows must be 0 or more, not -3.");
        assertThat(userError(() -> session.range(3, 0))).contains("The blocks of a read must be 1 or more, not 0.");
        assertThat(userError(() -> session.range(3).iterBatches(0))).contains("1 or more rows, not 0");
        assertThat(userError(() -> BatchOptions.of(1).prefetch(-1))).contains("0 or more batches, not -1");
        assertThat(userError(() -> session.range(3).streamingSplit(0))).contains("1 or more consumers, not 0");
        assertThat(userError(() -> session.rangeTensor(3, 0))).contains("every dimension must be 1 or more");
    }

    // Compute

    @Test
    void aClassWithoutActors() {
        assertThat(userError(() -> session.range(3).mapBatches(() -> new Model(), Compute.tasks())))
                .contains("a factory makes an object with state")
                .contains("Use Compute.actors(...)");
    }

    @Test
    void actorsWithoutAClass() {
        assertThat(userError(() -> session.range(3).mapBatches(new Model(), Compute.actors(2))))
                .containsPattern(
                        "mapBatches\\(Model BadInputTest:\\d+\\): a function runs as tasks, but the compute asks for actors")
                .contains("Pass a factory");
    }

    @Test
    void gpusWithoutABatchSize() {
        assertThat(userError(() -> session.range(3)
                        .mapBatches(() -> new Model(), Compute.actors(1).gpus(1))))
                .contains("asks for GPUs without a batch size");
    }

    @Test
    void aBatchSizeForSingleRows() {
        assertThat(userError(
                        () -> session.range(3).map(row -> row, Compute.tasks().batchSize(5))))
                .contains("map works on single rows");
    }

    @Test
    void resourcesThatCanNeverBeMet() {
        MillraceException gpus = error(() -> session.range(3)
                .mapBatches(() -> new Model(), Compute.actors(1).gpus(2).batchSize(8)));
        assertThat(gpus.culprit()).isEqualTo(Culprit.RESOURCES);
        assertThat(gpus.getMessage()).contains("can never run: it needs 2 GPUs, 0 are there in this session");
        assertThat(error(() -> session.range(3).map(row -> row, Compute.tasks().cpus(64)))
                        .getMessage())
                .contains(
                        "it needs 64 CPUs, 4 are there in this session. Ask for less, or raise the session's limits.");
        assertThat(error(() -> session.range(3).map(row -> row, Compute.tasks().resource("tpu", 1)))
                        .getMessage())
                .contains("it needs 1 of 'tpu', 0 are there");
    }

    // Sessions

    @Test
    void datasetsOfTwoSessions() {
        try (Session other = Session.builder().progress(ProgressSettings.OFF).open()) {
            assertThat(userError(() -> session.range(3).union(other.range(3))))
                    .isEqualTo("union: the other dataset belongs to another session.");
            assertThat(userError(() -> session.range(3).zip(other.range(3)))).contains("zip: the other dataset");
        }
    }
}
